/**
 * A small shop of plain forms: the payer's browser posts the signed order to `{pay_url}/v1/form`,
 * with the card or without it, and comes back by a redirect. The card never comes to this server,
 * and no script is needed.
 */
import type { Express } from 'express'
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
  payNow: ['Pay', 'Betala'],
  direct: [
    'The form goes straight to the payment service. Try 4111 1111 1111 1111, any future date and the code 200.',
    'Formuläret går direkt till betaltjänsten. Prova 4111 1111 1111 1111, ett framtida datum och koden 200.',
  ],
  otherTitle: ['Without a card here', 'Utan kort här'],
  otherText: [
    'The same form without card fields: the payment service asks for the card on its own page.',
    'Samma formulär utan kortfält: betaltjänsten frågar efter kortet på sin egen sida.',
  ],
})

const template = (name: string) => new URL(`${name}.html`, import.meta.url)

function createShop(options: ShopOptions): Express {
  const { gateway, merchant } = options
  const { shop, orders } = createOrderShop(options)

  shop.get('/', async (request, response) => {
    const language = getLanguage(request)
    const { payment } = orders.begin(language)
    const values = {
      ...TEXTS[language],
      ...signPayment(payment, merchant),
      here: `${request.protocol}://${request.host}/orders/${payment.payment_ref}`,
      pay: gateway.pay,
      webhook: getWebhooks(request),
    }
    const page = await renderPage(
      language,
      { signed: template('signed'), main: template('page') },
      values,
    )
    response.vary('Accept-Language').type('html').send(page)
  })

  return shop.use(showProblem)
}

/** Opens the shop on loopback. */
export const startShop = createStarter(createShop)
