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
import { TEXTS } from './texts.ts'

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
