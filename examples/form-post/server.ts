/**
 * A small shop of plain forms: the payer's browser posts the signed order to `{pay_url}/v1/form`,
 * with the card or without it, and comes back by a redirect. The card never comes to this server,
 * and no script is needed.
 */
import type { Express } from 'express'
import { createOrders, type Order } from '../shared/orders.ts'
import { languageOf, renderPage } from '../shared/page.ts'
import { requestHash } from '../shared/payment.ts'
import {
  addOrderAddress,
  addOrderParameter,
  addWebhookHandler,
  createShopApp,
  open,
  outcomePage,
  type Shop,
  type ShopOptions,
  showProblem,
  webhooksOf,
} from '../shared/server.ts'
import { callerOf } from '../shared/service.ts'
import { TEXTS } from './texts.ts'

const template = (name: string) => new URL(`${name}.html`, import.meta.url)

function createShop({ gateway, merchant }: ShopOptions): Express {
  const orders = createOrders(callerOf(gateway.base, merchant), merchant)
  const shop = createShopApp(gateway)
  addOrderAddress(shop, orders)
  addOrderParameter(shop, orders)
  addWebhookHandler(shop, orders, merchant)

  shop.get('/', async (request, response) => {
    const language = languageOf(request)
    const { payment } = orders.begin(language)
    const values = {
      ...TEXTS[language],
      ...payment,
      test: String(payment.test),
      merchant_id: String(merchant.id),
      hash: requestHash(payment, merchant),
      here: `${request.protocol}://${request.host}/orders/${payment.payment_ref}`,
      pay: gateway.pay,
      webhook: webhooksOf(request),
    }
    const page = await renderPage(
      language,
      { signed: template('signed'), main: template('page') },
      values,
    )
    response.vary('Accept-Language').type('html').send(page)
  })

  // success_url. The payer's browser chose every field of the form, so only the hash and the
  // transaction show the paid amount.
  shop.get('/orders/:ref/paid', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settleReturned(order, request.query)
    response.type('html').send(await outcomePage(order, request))
  })

  // error_url, and where a payer looks who closed the window too early: the service knows what
  // became of the order.
  shop.get('/orders/:ref', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settle(order)
    response.type('html').send(await outcomePage(order, request))
  })

  return shop.use(showProblem)
}

/**
 * Opens the shop on loopback.
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export const startShop = (options: ShopOptions): Promise<Shop> =>
  open(createShop(options), options.port)
