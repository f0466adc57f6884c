/**
 * A small shop that takes card payments with the browser library in `ajax` mode. The card goes from
 * the payer's browser to the payment service; this server only says what is to be paid, and
 * believes nothing before it has asked itself.
 */
import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { CURRENCY, total } from '../shared/cart.ts'
import { renderPage } from '../shared/page.ts'
import {
  newReference,
  type Payment,
  pays,
  requestHash,
  type Transaction,
} from '../shared/payment.ts'
import {
  addWebhookHandler,
  createShopApp,
  getWebhooks,
  open,
  type Shop,
  type ShopOptions,
} from '../shared/server.ts'
import { findPayment, getCaller } from '../shared/service.ts'
import { TEXTS } from './texts.ts'

interface Order {
  readonly payment: Payment
  state: 'open' | 'paid'
}

function createShop({ gateway, merchant }: ShopOptions): Express {
  const call = getCaller(gateway.base, merchant)
  const orders = new Map<string, Order>() // a real shop keeps them in its database

  /**
   * Everything that the page may know about an order: the form's fields, and whether it is paid.
   */
  const show = (request: Request, { payment, state }: Order) => ({
    ...payment,
    webhook: getWebhooks(request),
    merchant_id: merchant.id,
    hash: requestHash(payment, merchant),
    state,
  })

  /**
   * Marks the order as paid when the payment service itself knows an approved transaction for it.
   */
  async function settle(order: Order): Promise<void> {
    if (order.state === 'open' && (await findPayment(call, order.payment, merchant)))
      order.state = 'paid'
  }

  const shop = createShopApp(gateway, new URL('public/', import.meta.url))

  shop.get('/', async (request, response) => {
    const asked = request.query.lang ?? request.acceptsLanguages('en', 'sv')
    const language = asked === 'sv' ? 'sv' : 'en'
    const values = { ...TEXTS[language], merchantId: String(merchant.id), cdn: gateway.cdn }
    const page = await renderPage(language, { main: new URL('page.html', import.meta.url) }, values)
    response.vary('Accept-Language').type('html').send(page)
  })

  shop.post('/orders', (request, response) => {
    const amount = (total() / 100).toFixed(2)
    const payment: Payment = { payment_ref: newReference(), amount, currency: CURRENCY, test: true }
    const order: Order = { payment, state: 'open' }
    orders.set(payment.payment_ref, order)
    response.json(show(request, order))
  })

  shop.param('ref', (_request, response, next, ref: string) => {
    response.locals.order = orders.get(ref)
    if (response.locals.order) next()
    else response.status(404).json({ message: 'There is no such order.' })
  })

  // The answer to the browser may have been lost: as long as the order is open, ask whether it was
  // paid after all.
  shop.get('/orders/:ref', async (request, response) => {
    const order: Order = response.locals.order
    await settle(order)
    response.json(show(request, order))
  })

  // The page reports the result that its browser received. This handler checks that it is genuine,
  // and asks the service whether it is true.
  shop.post('/orders/:ref/result', express.json(), async (request, response) => {
    const order: Order = response.locals.order
    const transaction: Transaction = request.body ?? {}
    if (!pays(transaction, order.payment, merchant))
      return void response.status(400).json({ message: 'This is not the payment of this order.' })
    await settle(order)
    response.json(show(request, order))
  })

  // The webhook comes even if the payer closes the page.
  const known = { find: (ref: string) => orders.get(ref), settleWebhook: settle }
  addWebhookHandler(shop, known, merchant)

  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 502).json({ message: error.message })
  }
  return shop.use(failed)
}

/**
 * Opens the shop on loopback.
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export const startShop = (options: ShopOptions): Promise<Shop> =>
  open(createShop(options), options.port)
