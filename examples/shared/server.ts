/** Shared parts of the example shops' servers. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express'
import { createOrders, type Order, type Orders } from './orders.ts'
import { getLanguage, notPaidPage, problemPage, receiptPage } from './page.ts'
import type { Merchant } from './payment.ts'
import { getCaller } from './service.ts'
import { isSigned, signingKey } from './verify.ts'

export interface ShopOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** Origins of the payment service: its API, and where it serves the browser library. */
  readonly gateway: { readonly base: string; readonly pay: string; readonly cdn: string }
  readonly merchant: Merchant
}

export interface Shop {
  /** Address of the checkout page. */
  readonly url: string
  close(): Promise<void>
}

const jqueryFolder = dirname(createRequire(import.meta.url).resolve('jquery'))
const sharedFolder = fileURLToPath(new URL('public', import.meta.url))

/**
 * An Express app that allows its pages nothing but its own files, the browser library and the
 * payment service.
 * @param folder the shop's own files, when it has any
 */
export function createShopApp({ base, pay, cdn }: ShopOptions['gateway'], folder?: URL): Express {
  const shop = express()
  shop.disable('x-powered-by')
  shop.use((_request, response, next) => {
    const scripts = `script-src 'self' ${cdn}; connect-src 'self' ${base} ${pay}`
    const bank = `form-action 'self' ${pay}; frame-src 'self' ${pay}`
    const rest = "style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    response.set('Content-Security-Policy', `default-src 'none'; ${scripts}; ${bank}; ${rest}`)
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    next()
  })
  shop.use('/jquery', express.static(jqueryFolder))
  for (const files of [...(folder ? [fileURLToPath(folder)] : []), sharedFolder])
    shop.use(express.static(files, { index: false }))
  return shop
}

/**
 * The webhooks of a payment: paid or declined, and refunded. They arrive even if the payer never
 * returns.
 */
export function getWebhooks({ protocol, host }: Request): string {
  const webhook = {
    url: `${protocol}://${host}/webhooks`,
    http_method: 'post',
    data_format: 'json',
  }
  return JSON.stringify(['payment', 'refund'].map((trigger) => ({ ...webhook, trigger })))
}

/** Orders that webhooks report. */
interface WebhookOrders<Order> {
  find(paymentRef: string): Order | undefined
  /** Reads the payment from the service after a webhook reported a payment or a refund. */
  settleWebhook(order: Order): Promise<void>
}

/**
 * Receives webhooks. A webhook only names the order: the shop reads the payment's state from the
 * service.
 */
export function addWebhookHandler<Order>(
  shop: Express,
  orders: WebhookOrders<Order>,
  merchant: Merchant,
): void {
  const key = signingKey(merchant)
  shop.post('/webhooks', express.text({ type: '*/*' }), async (request, response) => {
    if (!isSigned(request.headers, String(request.body), key, Date.now()))
      return void response.sendStatus(403)
    const order = orders.find(JSON.parse(request.body).payment_ref)
    if (!order) return void response.sendStatus(404)
    try {
      await orders.settleWebhook(order)
      response.sendStatus(204)
    } catch {
      // The service sends a webhook again after status 500 only.
      response.sendStatus(500)
    }
  })
}

/**
 * Shows an order to `mondido-gateway check`. Leave it out in production: a visitor who knows the
 * address reads the order.
 */
export function addOrderAddress(shop: Express, orders: Orders): void {
  shop.get('/orders/:number.json', (request, response) => {
    const order = orders.find(request.params.number)
    if (!order) return void response.sendStatus(404)
    const { state, fulfilled, refunded, payment } = order
    response.json({
      state,
      amount: payment.amount,
      currency: payment.currency,
      fulfilled,
      refunded,
    })
  })
}

/** Answers with an error as JSON, for a page whose script calls the server. */
export const sendProblem: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error.status ?? 502).json({ message: error.message })
}

/** Finds the order of addresses with `:ref`. @param answerMissing answers if no order has this ref */
export function requireOrder<Order>(
  shop: Express,
  find: (paymentRef: string) => Order | undefined,
  answerMissing: (response: Response) => void = (response) =>
    response.status(404).json({ message: 'The order does not exist.' }),
): void {
  shop.param('ref', (_request, response, next, ref: string) => {
    response.locals.order = find(ref)
    if (response.locals.order) next()
    else answerMissing(response)
  })
}

/**
 * A shop whose server prepares orders, and the pages that every such shop has: the webhook's
 * address, the payer's return, and the order, which a payer opens who closed the window too early.
 * @param folder the shop's own files, when it has any
 */
export function createOrderShop({ gateway, merchant }: ShopOptions, folder?: URL) {
  const call = getCaller(gateway.base, merchant)
  const orders = createOrders(call, merchant)
  const shop = createShopApp(gateway, folder)
  addOrderAddress(shop, orders)
  addWebhookHandler(shop, orders, merchant)

  // Without its order, the payer starts again at the cart.
  requireOrder(shop, orders.find, (response) => response.redirect(303, '/'))

  // success_url. The payer's browser chose it, and perhaps the whole order: only the service's hash
  // and the transaction prove the payment.
  shop.get('/orders/:ref/paid', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settleReturned(order, request.query)
    response.type('html').send(await outcomePage(order, request))
  })

  // error_url: the service decides whether the order is paid, whatever the page received.
  shop.get('/orders/:ref', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settle(order)
    response.type('html').send(await outcomePage(order, request))
  })
  return { shop, orders, call }
}

/** Shows the payer whether the order is paid, and if not, the reason. */
function outcomePage({ state, payment, language }: Order, request: Request): Promise<string> {
  const shown = request.query.lang === undefined ? language : getLanguage(request)
  return state === 'paid'
    ? receiptPage(shown, payment.payment_ref)
    : notPaidPage(shown, String(request.query.error_name ?? ''))
}

/** Shows a page for an error, with a link back to the page where it happened. */
export const showProblem: ErrorRequestHandler = async (error, request, response, _next) => {
  const order: Order | undefined = response.locals.order
  const back = order ? `/orders/${order.payment.payment_ref}` : '/'
  response.status(error.status ?? 502).type('html')
  response.send(await problemPage(order?.language ?? getLanguage(request), back, error.message))
}

/**
 * Opens a shop on loopback.
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export async function open(app: Express, port: number): Promise<Shop & { server: Server }> {
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

/**
 * Creates the function that opens a shop on loopback.
 * @returns a function that throws an error with code `EADDRINUSE` when the port is taken
 */
export const createStarter =
  <Options extends ShopOptions>(create: (options: Options) => Express) =>
  (options: Options): Promise<Shop> =>
    open(create(options), options.port)
