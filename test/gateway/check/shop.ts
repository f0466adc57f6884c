import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Merchant, newReference, type Payment } from '../../../examples/shared/payment.ts'
import { listen } from '../../helpers/listening.ts'
import type { PlantedFault } from './planted.ts'
import { createPayment, createShopCalls, parseTransaction, type Transaction } from './shop-kit.ts'

interface Order {
  readonly payment: Payment
  fulfilled: number
  amount: string
  currency: string
  refunded: number
  closed: boolean
  /** True if the money is captured or reserved. */
  paid: boolean
  subscription: number | undefined
  /** Subscription charges that the shop has fulfilled. */
  readonly charges: Set<number>
}

export interface SmallShop {
  readonly url: string
  /** User agents of the payers who opened a return address. */
  readonly visitors: ReadonlySet<string>
  close(): Promise<void>
}

/** Plan of this shop, without the member `order`. */
export const SMALL_PLAN = {
  buy: { post: '/buy' },
  retry: { post: '/retry/{payment_ref}' },
  reserve: { post: '/reserve' },
  subscribe: { post: '/subscribe' },
  change: { post: '/change/{payment_ref}' },
}

/**
 * Starts a shop on its own port, with /buy, a return address, a webhook, and /orders/<ref>.json.
 */
export async function startSmallShop(
  base: string,
  merchant: Merchant,
  fault?: PlantedFault,
): Promise<SmallShop> {
  const { call, openPage, subscribe, findTransactions } = createShopCalls(base, merchant)
  const orders = new Map<string, Order>()
  let broken = false
  let lastWebhook: unknown
  const webhookTimes = new Set<number>()
  /** Orders that a webhook has fulfilled, and orders that a return has fulfilled. */
  const handled = { webhook: new Set<Order>(), return: new Set<Order>() }
  const visitors = new Set<string>()

  function fulfil(order: Order) {
    if (order.closed || (order.fulfilled > 0 && fault !== 'fulfils twice')) return
    order.fulfilled += 1
    if (order.fulfilled === 1) order.paid = true
  }
  /**
   * Reads the payments of an order, and marks the order by their result.
   * @returns true if it is paid
   */
  async function settle(order: Order, by: 'webhook' | 'return'): Promise<boolean> {
    const wasOpen = order.fulfilled === 0
    const wasRefunded = order.refunded > 0
    const { payment } = order
    const found = await findTransactions(payment.payment_ref)
    const isSame = ({ amount, currency }: Transaction) =>
      (amount === order.amount || fault === 'never compares the amount') &&
      (currency === order.currency || fault === 'never compares the currency')
    const paid = found.find(
      (each) => /^(?:approved|authorized|capture pending)$/.test(each.status) && isSame(each),
    )
    const failed = found.some(({ status }) => status === 'failed')
    if (!paid) {
      if (order.paid && failed && fault !== 'ignores failed captures') order.paid = false
      return false
    }
    order.subscription ??= paid.subscription?.id
    const refunds = paid.refunds.map(({ amount }) => Number(amount))
    const isVoid = paid.status === 'authorized' && refunds.length > 0 && fault !== 'ignores voids'
    order.paid = !isVoid
    if (fault === 'keeps the last refund') order.refunded = refunds.at(-1) ?? 0
    else if (fault === 'keeps the first refund') order.refunded = refunds[0] ?? 0
    else if (fault === 'shows every refund as a whole one')
      order.refunded = refunds.length > 0 ? Number(order.amount) : 0
    else if (fault !== 'ignores refunds' && fault !== 'adds the refund of every webhook')
      order.refunded = refunds.reduce((sum, amount) => sum + amount, 0)
    if (fault === 'fulfils in the gap' && wasOpen) {
      order.fulfilled += 1
    } else fulfil(order)
    const isFirst = !handled[by].has(order)
    handled[by].add(order)
    const again =
      fault === `fulfils at every ${by}` ||
      (fault === 'fulfils at the webhook and at the return' && isFirst) ||
      (fault === 'fulfils again after a refund' && wasRefunded)
    if (again && !wasOpen) order.fulfilled += 1
    return true
  }
  async function settleCharge(order: Order, told: Transaction) {
    if (fault === 'ignores charges') return
    const charge = await call<Transaction>('GET', `/v1/transactions/${told.id}`)
    if (charge.status !== 'approved') return
    if (order.charges.has(charge.id) && fault !== 'counts every webhook of a charge') return
    order.charges.add(charge.id)
    order.fulfilled += 1
  }
  async function recount(order: Order) {
    const all = await call<Transaction[]>(
      'GET',
      `/v1/subscription/${order.subscription}/transactions`,
    )
    order.fulfilled = all.length
  }

  async function preparePage(here: string, payment = open(), more = {}): Promise<string> {
    const back = `${here}/back/${payment.payment_ref}`
    const making = openPage(here, payment, { success_url: back, error_url: back, ...more })
    if (fault !== 'waits too short for the service') return making
    making.catch(() => {})
    const made = await Promise.race([making, delay(500)])
    if (!made) throw new Error('The service is too slow')
    return made
  }
  function open(): Payment {
    const payment = createPayment()
    const { amount, currency } = payment
    const counts = { fulfilled: 0, refunded: 0, closed: false, paid: false }
    const charges = { subscription: undefined, charges: new Set<number>() }
    orders.set(payment.payment_ref, { payment, amount, currency, ...counts, ...charges })
    return payment
  }
  function retry(here: string, order: Order): Promise<string> {
    if (fault !== 'makes a new reference for every try') return preparePage(here, order.payment)
    const payment = { ...order.payment, payment_ref: newReference() }
    orders.set(payment.payment_ref, order)
    return preparePage(here, payment)
  }

  /**
   * Handles a webhook.
   * @returns the status of its answer
   */
  async function hear(headers: IncomingHttpHeaders, body: string): Promise<number> {
    if (fault === 'ignores webhooks') return 200
    const told = parseTransaction(body)
    if (!told) broken = true
    if (!told || (broken && fault === 'marks a broken webhook as done')) return told ? 200 : 400
    const time = Number(headers['webhook-timestamp'])
    const isKnownTime = [...webhookTimes].some((known) => Math.abs(known - time) < 3600)
    if (fault === 'wants the same clock' && Math.abs(Date.now() / 1000 - time) > 30) return 400
    const order = orders.get(told.payment_ref)
    if (!order) {
      const subscribed = [...orders.values()].find(
        ({ subscription }) => subscription === told.subscription?.id,
      )
      if (subscribed && told.subscription)
        await (fault === 'counts charges that failed'
          ? recount(subscribed)
          : settleCharge(subscribed, told))
      return 200
    }
    if (fault === 'stores the amount of a webhook') order.amount = told.amount
    if (fault === 'stores the currency of a webhook') order.currency = told.currency
    if (fault === 'adds the refund of every webhook')
      order.refunded += Number(told.refunds.at(-1)?.amount ?? 0)
    if (told.status === 'declined' && fault === 'closes declined orders') order.closed = true
    if (told.status === 'declined' && fault === 'cancels on every decline') {
      order.fulfilled = 0
      return 200
    }
    if (isBelieved(headers, told) || fault === 'fulfils declined payments') fulfil(order)
    else {
      const isPaid = await settle(order, 'webhook')
      const again =
        (fault === 'remembers one webhook' && lastWebhook !== headers['webhook-id']) ||
        (fault === 'remembers the time of webhooks' && !isKnownTime)
      if (isPaid && again && order.fulfilled + webhookTimes.size > 1) order.fulfilled += 1
      lastWebhook = headers['webhook-id']
      webhookTimes.add(time)
    }
    if (order.subscription !== undefined && fault === 'counts charges that failed')
      await recount(order)
    return 200
  }
  function isBelieved(headers: IncomingHttpHeaders, told: Transaction): boolean {
    const isSigned = 'webhook-signature' in headers
    return (
      told.status === 'approved' &&
      (fault === 'believes the webhook' ||
        (fault === 'believes unsigned webhooks' && !isSigned) ||
        (fault === 'believes every signature' && isSigned) ||
        (fault === 'believes every merchant' && told.merchant_id !== merchant.id))
    )
  }
  async function welcome(order: Order, url: URL) {
    const isSaidPaid = url.searchParams.get('status') === 'approved'
    if (fault === 'ignores the return') return
    if (fault === 'fulfils whoever returns' || (fault === 'believes the return' && isSaidPaid))
      return fulfil(order)
    try {
      const isPaid = await settle(order, 'return')
      if (fault === 'resets refunds at the return') order.refunded = 0
      if (!isPaid && fault === 'closes orders that are not paid yet') order.closed = true
    } catch (error) {
      if (fault !== 'believes the return when the service is down' || !isSaidPaid) throw error
      fulfil(order)
    }
  }

  const server = createServer(async (request, response) => {
    const here = own.url
    const url = new URL(request.url ?? '/', here)
    const [, first = '', second = ''] = url.pathname.split('/')
    const order = orders.get(second.replace('.json', ''))
    const toPage = (page: string) => void response.writeHead(303, { location: page }).end()
    try {
      if (first === 'buy') return toPage(await preparePage(here))
      if (first === 'reserve') return toPage(await preparePage(here, open(), { authorize: 'true' }))
      if (first === 'subscribe') return toPage(await preparePage(here, open(), await subscribe()))
      if (first === 'retry' && order) return toPage(await retry(here, order))
      if (first === 'change' && order) order.amount = '150.00'
      if (first === 'hook') {
        const status = await hear(request.headers, await readBody(request))
        response.statusCode = fault === 'fails after its work' ? 500 : status
      }
      if (first === 'back') visitors.add(request.headers['user-agent'] ?? '')
      if (first === 'back' && order) await welcome(order, url)
      if (first === 'orders' && order) {
        const { fulfilled, paid, amount, refunded, currency } = order
        const shown = { fulfilled, amount, currency, refunded: refunded.toFixed(2) }
        return void response.end(JSON.stringify({ status: paid ? 'paid' : 'open', ...shown }))
      }
      response.end('{}')
    } catch {
      const isHanging =
        fault === 'hangs when the service is down' || fault === 'waits too short for the service'
      if (isHanging && first === 'buy') return void request.socket.destroy()
      const isBare = first === 'hook' || fault === 'answers 500 when the service is down'
      const status = isBare ? 500 : 502
      response
        .writeHead(fault === 'answers before it is done' && first === 'hook' ? 200 : status)
        .end()
    }
  })
  const own = await listen(server)
  return { ...own, visitors }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}
