/**
 * A small shop that takes card payments with the browser library in `ajax` mode. The card goes from the payer's browser
 * to the payment service; this server only says what is to be paid, and believes nothing before it has asked itself.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { CURRENCY, total } from './cart.ts'
import { renderPage } from './page.ts'
import { type Merchant, type Payment, pays, read, requestHash, type Transaction } from './payment.ts'

export interface ShopOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** Origins of the payment service: its API, and where it serves the browser library. */
  readonly gateway: { readonly base: string; readonly cdn: string }
  readonly merchant: Merchant
}

export interface Shop {
  /** Address of the checkout page. */
  readonly url: string
  close(): Promise<void>
}

interface Order {
  readonly payment: Payment
  state: 'open' | 'paid'
}

const folder = (url: string): string => fileURLToPath(new URL(url, import.meta.url))
const jqueryFolder = dirname(createRequire(import.meta.url).resolve('jquery'))

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function newPayment(): Payment {
  // Twelve characters that nobody can guess: who knows an order's number may see the order.
  const payment_ref = Array.from(randomBytes(12), (byte) => LETTERS[byte % LETTERS.length]).join('')
  return { payment_ref, amount: (total() / 100).toFixed(2), currency: CURRENCY, test: true }
}

function createShop({ gateway, merchant }: ShopOptions): Express {
  const orders = new Map<string, Order>() // a real shop keeps them in its database

  /** Everything that the page may know about an order: the form's fields, and whether it is paid. */
  const show = ({ payment, state }: Order) => ({
    ...payment,
    merchant_id: merchant.id,
    hash: requestHash(payment, merchant),
    state,
  })

  /** Marks the order as paid when the payment service itself knows an approved transaction for it. */
  async function settle(order: Order, path: string): Promise<void> {
    const found = await read<Transaction | Transaction[]>(gateway.base, path, merchant)
    if ([found].flat().some((transaction) => pays(transaction, order.payment, merchant))) order.state = 'paid'
  }

  const shop = express()
  shop.disable('x-powered-by')
  shop.use((_request, response, next) => {
    const scripts = `script-src 'self' ${gateway.cdn}; connect-src 'self' ${gateway.base}`
    const rest = "style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    response.set('Content-Security-Policy', `default-src 'none'; ${scripts}; ${rest}`)
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    next()
  })

  shop.get('/', async (request, response) => {
    const asked = request.query.lang ?? request.acceptsLanguages('en', 'sv')
    const page = await renderPage(asked === 'sv' ? 'sv' : 'en', { merchantId: merchant.id, cdn: gateway.cdn })
    response.vary('Accept-Language').type('html').send(page)
  })

  shop.post('/orders', (_request, response) => {
    const order: Order = { payment: newPayment(), state: 'open' }
    orders.set(order.payment.payment_ref, order)
    response.json(show(order))
  })

  shop.param('ref', (_request, response, next, ref: string) => {
    response.locals.order = orders.get(ref)
    if (response.locals.order) next()
    else response.status(404).json({ message: 'There is no such order.' })
  })

  // The answer to the browser may have been lost: as long as the order is open, ask whether it was paid after all.
  shop.get('/orders/:ref', async (request, response) => {
    const order: Order = response.locals.order
    const ofThisOrder = `filter[payment_ref]=${request.params.ref}&filter[status]=approved`
    if (order.state === 'open') await settle(order, `/v1/transactions?${ofThisOrder}`)
    response.json(show(order))
  })

  // The page reports what its browser was told. That it is genuine is checked here; that it is true, with the service.
  shop.post('/orders/:ref/result', express.json(), async (request, response) => {
    const order: Order = response.locals.order
    const told: Transaction = request.body ?? {}
    if (!Number.isSafeInteger(told.id) || !pays(told, order.payment, merchant))
      return void response.status(400).json({ message: 'This is not the payment of this order.' })
    if (order.state === 'open') await settle(order, `/v1/transactions/${told.id}`)
    response.json(show(order))
  })

  shop.use('/jquery', express.static(jqueryFolder))
  shop.use(express.static(folder('public'), { index: false }))

  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 502).json({ message: error.message })
  }
  return shop.use(failed)
}

/**
 * Opens the shop on loopback.
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const server = createShop(options).listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}
