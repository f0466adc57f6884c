/**
 * A small shop whose payers pay on the payment page: its server prepares the payment, sends the
 * browser to `href`, and believes what comes back only after it has checked the hash and read the
 * transaction itself. It needs no JavaScript.
 */
import express, { type Express } from 'express'
import { getLanguage, renderPage } from '../shared/page.ts'
import { signPayment } from '../shared/payment.ts'
import {
  createOrderShop,
  createStarter,
  getWebhooks,
  type ShopOptions,
  showProblem,
} from '../shared/server.ts'
import { createTexts } from '../shared/texts.ts'

/** The texts of this shop; `shared/texts.ts` has the texts of every shop. */
const TEXTS = createTexts({
  explain: [
    'You pay on the page of the payment service, and come back here.',
    'Du betalar på betaltjänstens sida och kommer tillbaka hit.',
  ],
})

function createShop(options: ShopOptions): Express {
  const { merchant } = options
  const { shop, orders, call } = createOrderShop(options)

  shop.get('/', async (request, response) => {
    const language = getLanguage(request)
    const main = new URL('page.html', import.meta.url)
    response
      .vary('Accept-Language')
      .type('html')
      .send(await renderPage(language, { main }, TEXTS[language]))
  })

  // The server prepares the payment, so the payer cannot change amount or addresses.
  shop.post('/orders', express.urlencoded(), async (request, response) => {
    const { payment, language } = orders.begin(request.body?.lang === 'sv' ? 'sv' : 'en')
    const here = `${request.protocol}://${request.host}/orders/${payment.payment_ref}`
    const { href } = await call<{ href: string }>('POST', '/v1/transactions', {
      ...signPayment(payment, merchant),
      process: 'false',
      success_url: `${here}/paid`,
      error_url: here,
      locale: language,
      webhook: getWebhooks(request),
    })
    response.redirect(303, href)
  })

  return shop.use(showProblem)
}

/** Opens the shop on loopback. */
export const startShop = createStarter(createShop)
