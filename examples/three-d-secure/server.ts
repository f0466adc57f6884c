/**
 * A small shop with 3-D Secure. The browser library opens the bank's window in the click that pays,
 * and continues when the bank has answered. The list of test cards has every outcome of 3-D Secure.
 */
import { readFile } from 'node:fs/promises'
import type { Express } from 'express'
import { fill, getLanguage, renderPage } from '../shared/page.ts'
import { signPayment } from '../shared/payment.ts'
import { createOrderShop, createStarter, type ShopOptions, showProblem } from '../shared/server.ts'
import { createTexts, type Language } from '../shared/texts.ts'
import { TEST_CARDS } from './cards.ts'

/** The texts of this shop; `shared/texts.ts` has the texts of every shop. */
const TEXTS = createTexts({
  yourBank: ['Your bank opens', 'Din bank öppnas'],
  bankClosed: ['The bank has answered', 'Banken har svarat'],
  cardsText: [
    'No money moves. Choose a result to fill in its card:',
    'Inga pengar flyttas. Välj ett utfall för att fylla i kortet:',
  ],
})

const template = (name: string) => new URL(`${name}.html`, import.meta.url)

async function listOfCards(language: Language): Promise<string> {
  const row = await readFile(template('test-card'), 'utf8')
  return TEST_CARDS.map(({ number, outcome }) =>
    fill(row, { number, outcome: outcome[language] }),
  ).join('')
}

function createShop(options: ShopOptions): Express {
  const { gateway, merchant } = options
  const { shop, orders } = createOrderShop(options, new URL('public/', import.meta.url))

  shop.get('/', async (request, response) => {
    const language = getLanguage(request)
    const { payment } = orders.begin(language)
    const values = {
      ...TEXTS[language],
      ...signPayment(payment, merchant),
      cdn: gateway.cdn,
    }
    const page = await renderPage(language, { main: template('page') }, values, {
      cards: await listOfCards(language),
    })
    response.vary('Accept-Language').type('html').send(page)
  })

  return shop.use(showProblem)
}

/** Opens the shop on loopback. */
export const startShop = createStarter(createShop)
