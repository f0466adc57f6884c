import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import express, { type Request } from 'express'
import type { Merchant, Payment } from '../../../examples/shared/payment.ts'
import { Refused } from '../../../examples/shared/service.ts'
import { isSigned, signingKey } from '../../../examples/shared/verify.ts'
import { listen } from '../../helpers/listening.ts'
import type { ManualTime } from './manual-time.ts'
import { createPayment, createShopCalls, parseTransaction, type Transaction } from './shop-kit.ts'

/** Architectures of shops. `kinds.test.ts` checks each without faults. */
export type ShopKind = 'queue' | 'signed' | 'captures' | 'renewals' | 'cards'

interface Order {
  readonly payment: Payment
  status: string
  refunded: number
  mail: number
  stock: number
  declined: boolean
}

/** Milliseconds that the worker of the queue takes to find a job. */
const QUEUE_MS = 1_500

/**
 * Starts a shop of a kind.
 * @param fault a mistake, such as `mails for every job`; empty for none
 */
export async function startKindShop(
  base: string,
  merchant: Merchant,
  kind: ShopKind,
  fault: string,
  time: ManualTime,
) {
  const { call, createFields, openPage: preparePage, ...calls } = createShopCalls(base, merchant)
  const orders = new Map<string, Order>()
  /** Orders of renewals, by the transaction of the charge. */
  const renewals = new Map<number, Order>()
  const subscribed = new Set<number>()
  const baskets = new Map<string, Payment>()
  const app = express().disable('x-powered-by')
  app.use(express.text({ type: 'application/json' }), express.urlencoded())

  const findHost = ({ protocol, host }: Request) => `${protocol}://${host}`
  const createOrder = (payment: Payment): Order => ({
    payment,
    ...{ status: 'open', refunded: 0, mail: 0, stock: 0, declined: false },
  })
  function open(payment = createPayment()): Payment {
    orders.set(payment.payment_ref, createOrder(payment))
    return payment
  }
  function openPage(request: Request, more: Record<string, string> = {}, payment = open()) {
    const back = `${findHost(request)}/back?ref=${payment.payment_ref}`
    const addresses = { success_url: back, error_url: `${back}&failed=1` }
    return preparePage(findHost(request), payment, { ...addresses, ...more })
  }

  function ship(order: Order) {
    const isRepeated = fault === 'ships again for every message' || fault === 'fails after sending'
    if (isRepeated || order.stock === 0) order.stock += 1
    if (fault === 'mails for every job' || order.mail === 0) order.mail += 1
  }
  const isPayment = (found: Transaction, { payment }: Order) =>
    found.amount === payment.amount &&
    found.currency === payment.currency &&
    (kind !== 'signed' || found.test === payment.test || fault === 'ignores the test flag')

  /** Updates an order from a transaction that the shop believes. */
  async function update(order: Order, found: Transaction): Promise<void> {
    if (!isPayment(found, order) || order.status === 'cancelled') return
    let { status } = found
    if (status === 'authorized' && kind === 'captures') {
      if (fault === 'ships before the capture') ship(order)
      const captured = { amount: order.payment.amount }
      status = (await put<Transaction>(`/v1/transactions/${found.id}/capture`, captured)).status
    }
    if (status === 'failed') order.status = 'failed'
    const late = Date.parse(found.processed_at ?? '') - Date.parse(found.created_at) > 1_800_000
    if (fault === 'cancels after 30 minutes' && late) return
    if (status !== 'approved') return
    const refunded = found.refunds.reduce((sum, { amount }) => sum + Number(amount), 0)
    // A webhook about an earlier event shows fewer refunds.
    order.refunded = Math.max(order.refunded, refunded)
    order.status = order.refunded > 0 ? 'partly_refunded' : 'paid'
    ship(order)
  }
  async function put<T>(path: string, fields: Record<string, string>): Promise<T> {
    const authorization = `Basic ${btoa(`${merchant.id}:${merchant.password}`)}`
    const body = new URLSearchParams(fields)
    const answer = await fetch(base + path, { method: 'PUT', body, headers: { authorization } })
    return answer.json() as Promise<T>
  }
  async function settle(order: Order): Promise<void> {
    const found = await calls.findTransactions(order.payment.payment_ref)
    for (const each of found.toReversed()) {
      if (each.subscription) subscribed.add(each.subscription.id)
      await update(order, each)
    }
  }
  /** Settles an order now, or after the time of the queue. */
  async function settleSoon(order: Order): Promise<unknown> {
    if (kind !== 'queue') return settle(order)
    time.later(QUEUE_MS, () => settle(order).catch(() => settleSoon(order)))
  }
  const listCharges = async (told: Transaction): Promise<readonly Transaction[]> =>
    fault === 'ships failed renewals'
      ? call('GET', `/v1/subscription/${told.subscription?.id}/transactions`)
      : [told]
  async function renew(told: Transaction): Promise<void> {
    if (orders.has(told.payment_ref)) return
    if (fault === 'makes no orders for renewals') return
    if (fault === 'fails for renewals') throw new Error('The order is unknown')
    const charge = await call<Transaction>('GET', `/v1/transactions/${told.id}`)
    const { payment_ref } = charge
    const order = renewals.get(told.id) ?? createOrder({ ...createPayment(), payment_ref })
    renewals.set(told.id, order)
    if (charge.status === 'approved' || fault === 'ships failed renewals') {
      order.status = 'paid'
      const isCounted = fault === 'counts every webhook of a renewal' && order.stock > 0
      if (isCounted) order.stock += 1
      else ship(order)
    }
  }

  app.post('/buy', async (request, response) => response.redirect(303, await openPage(request)))
  app.post('/reserve', async (request, response) =>
    response.redirect(303, await openPage(request, { authorize: 'true' })),
  )
  app.post('/retry/:ref', async (request, response) => {
    const { payment } = orders.get(request.params.ref) as Order
    response.redirect(303, await openPage(request, {}, payment))
  })
  app.post('/subscribe', async (request, response) =>
    response.redirect(303, await openPage(request, await calls.subscribe())),
  )

  app.post('/hook', async (request, response) => {
    const told = parseTransaction(String(request.body))
    if (!told) return void response.sendStatus(400)
    const account =
      fault === 'takes the merchant from the webhook'
        ? { ...merchant, id: told.merchant_id }
        : merchant
    const { headers, body } = request
    const isBelieved = fault === 'believes every webhook'
    if (!isBelieved && !isSigned(headers, String(body), signingKey(account), Date.now()))
      return void response.sendStatus(403)
    const order = orders.get(told.payment_ref)
    if (!order) {
      if (kind === 'renewals' && told.subscription && subscribed.has(told.subscription.id))
        for (const charge of await listCharges(told)) await renew(charge)
      return void response.sendStatus(fault === 'fails for unknown orders' ? 500 : 200)
    }
    if (told.status === 'declined') order.declined = true
    if (told.status === 'declined' && fault === 'shows paid orders as failed at a late decline') {
      time.later(2 * QUEUE_MS, async () => {
        order.status = 'failed'
      })
      return void response.sendStatus(200)
    }
    if (isBelieved && told.status === 'approved') ship(order)
    if (kind === 'signed' || fault === 'ships what the webhook says') await update(order, told)
    else await settleSoon(order)
    response.sendStatus(fault === 'fails after sending' && order.stock > 0 ? 500 : 200)
  })

  app.get('/back', async (request, response) => {
    const { ref, payment_ref, failed } = request.query
    const order = orders.get(String(ref))
    if (!order) return void response.sendStatus(404)
    const isClosing = fault === 'cancels at the error page' && failed && order.stock === 0
    if (isClosing) order.status = 'cancelled'
    if (fault === 'cancels paid orders at the error page' && failed) {
      order.status = 'open'
      order.stock = 0
      return void response.send('cancelled')
    }
    // Reads the payment that the query names, and ships the order that the shop's own query names.
    if (fault === 'reads the payment and not its order') {
      const found = await calls.findTransactions(String(payment_ref))
      if (found.some((each) => each.status === 'approved')) ship(order)
    } else if (order.status !== 'cancelled') await settleSoon(order)
    response.send('ok')
  })

  const show = ({ payment, status, refunded, mail, stock }: Order) => ({
    status,
    amount: fault === 'shows hundredths' ? '10000' : payment.amount,
    currency: payment.currency,
    refunded: refunded.toFixed(2),
    sent: { mail, stock },
  })
  app.get('/orders/:ref', (request, response) => {
    const order = orders.get(request.params.ref)
    if (order) response.json(show(order))
    else response.sendStatus(404)
  })
  app.get('/renewals/:id', (request, response) => {
    const order = renewals.get(Number(request.params.id))
    if (order) response.json(show(order))
    else response.sendStatus(404)
  })

  async function giveUp(): Promise<never> {
    await delay(500)
    throw new Error('The service is too slow')
  }
  /** Pays with a card, again if the answer was lost: `payment_ref` makes that safe. */
  async function payByCard(request: Request, payment: Payment, tries = 1): Promise<Transaction> {
    const { number, expiry, cvv, remember, stored } = request.body
    const card = stored
      ? { card_number: stored, card_type: 'STORED_CARD' }
      : { card_number: number, card_expiry: expiry, card_holder: 'Kim Berg', card_cvv: cvv }
    const store = remember && { store_card: 'true' }
    try {
      const fields = { ...createFields(findHost(request), payment), ...card, ...store }
      const paying = call<Transaction>('POST', '/v1/transactions', fields)
      if (fault !== 'gives up early with a new reference') return await paying
      paying.catch(() => {})
      return await Promise.race([paying, giveUp()])
    } catch (error) {
      const isFinal = tries === 0 || fault === 'answers 402 to a lost answer'
      if (error instanceof Refused || isFinal) throw error
      const again = fault.endsWith('with a new reference') ? open() : payment
      return payByCard(request, again, tries - 1)
    }
  }
  app.post('/pay', async (request, response) => {
    const { basket, stored } = request.body
    const kept = fault === 'makes a new reference for every press' ? undefined : baskets.get(basket)
    const payment = kept ?? open()
    baskets.set(basket, payment)
    const order = orders.get(payment.payment_ref) as Order
    if (fault === 'ships before the answer') ship(order)
    if (stored) request.body.stored = await newestToken()
    try {
      await payByCard(request, payment)
      if (fault === 'stores the card twice' && request.body.remember) await storeCard(request)
    } catch (error) {
      if (fault === 'answers 402 to a lost answer' && !(error instanceof Refused))
        return void response.sendStatus(402)
      await settle(order).catch(() => {})
      if (order.status === 'paid') return void response.sendStatus(200)
      const isDeclined = error instanceof Refused
      if (isDeclined && fault === 'answers 200 to a decline') return void response.sendStatus(200)
      return void response.sendStatus(isDeclined ? 402 : 502)
    }
    await settle(order)
    response.sendStatus(200)
  })
  async function newestToken() {
    const [card] = await call<{ token: string }[]>('GET', '/v1/stored_cards', { limit: '1' })
    return card?.token
  }
  const storeCard = ({ body: { number, expiry, cvv } }: Request) =>
    call('POST', '/v1/stored_cards', {
      card_number: number,
      card_expiry: expiry,
      card_holder: 'Kim Berg',
      card_cvv: cvv,
      card_type: 'VISA',
      currency: 'sek',
      test: 'true',
    })

  return listen(createServer(app))
}

const ORDER = {
  get: '/orders/{payment_ref}',
  paid: ["status = 'paid'", "status = 'partly_refunded'"],
  amount: 'amount',
  currency: 'currency',
  fulfilled: { mail: 'sent.mail', stock: 'sent.stock' },
  refunded: 'refunded',
}
const PAGE = { buy: { post: '/buy' }, order: ORDER, settle: 10, quiet: 5 }

/** Plans of the shops. */
export const KIND_PLANS: Readonly<Record<ShopKind, object>> = {
  queue: { ...PAGE, retry: { post: '/retry/{payment_ref}' } },
  signed: { ...PAGE, retry: { post: '/retry/{payment_ref}' } },
  captures: { ...PAGE, reserve: { post: '/reserve' } },
  renewals: {
    ...PAGE,
    subscribe: { post: '/subscribe' },
    renewal: { get: '/renewals/{transaction_id}' },
  },
  cards: {
    order: ORDER,
    settle: 10,
    pay: {
      post: '/pay',
      fields: {
        number: '{card_number}',
        expiry: '{card_expiry}',
        cvv: '{card_cvv}',
        basket: '{purchase}',
      },
      store: { remember: 'true' },
      stored: { basket: '{purchase}', stored: 'true' },
      answers: { 200: 'paid', 402: 'declined' },
    },
  },
}

/** Faults of the shops, with the case that must find each, and its cause. */
export const KIND_FAULTS: readonly (readonly [
  kind: ShopKind,
  fault: string,
  name: string,
  cause: string,
])[] = [
  ['queue', 'ships again for every message', 'webhook-twice', 'webhook-sends-again'],
  ['queue', 'mails for every job', 'return-twice', 'message-sends-again'],
  [
    'queue',
    'reads the payment and not its order',
    'return-of-another-order',
    'payment-of-another-order',
  ],
  ['queue', 'cancels paid orders at the error page', 'late-error-page', 'order-closed-later'],
  [
    'queue',
    'shows paid orders as failed at a late decline',
    'decline-arrives-last',
    'order-closed-later',
  ],
  ['queue', 'shows hundredths', 'plain', 'amount-in-hundredths'],
  ['signed', 'cancels at the error page', 'error-page-then-paid', 'order-closed'],
  ['signed', 'cancels after 30 minutes', 'paid-after-31-minutes', 'late-payment-ignored'],
  ['signed', 'takes the merchant from the webhook', 'webhook-same-secret', 'other-merchant'],
  ['signed', 'ignores the test flag', 'webhook-live', 'test-not-compared'],
  ['signed', 'fails for unknown orders', 'webhook-unknown-order', 'unknown-order-fails'],
  ['signed', 'fails after sending', 'handler-fails-first', 'fails-after-sending'],
  ['captures', 'ships before the capture', 'capture-fails-at-once', 'sent-before-capture'],
  ['renewals', 'makes no orders for renewals', 'subscription-charged', 'charge-ignored'],
  ['renewals', 'fails for renewals', 'subscription-charged', 'charge-webhook-fails'],
  [
    'renewals',
    'counts every webhook of a renewal',
    'subscription-webhook-twice',
    'charge-counted-again',
  ],
  ['renewals', 'ships failed renewals', 'subscription-failed', 'failed-charge-counted'],
  [
    'renewals',
    'ships again for every message',
    'subscription-webhook-twice',
    'webhook-sends-again',
  ],
  ['cards', 'makes a new reference for every press', 'card-pressed-twice', 'new-reference'],
  ['cards', 'tries again with a new reference', 'card-answer-lost', 'new-reference'],
  ['cards', 'tries again with a new reference', 'card-answer-html', 'new-reference'],
  ['cards', 'gives up early with a new reference', 'card-answer-late', 'new-reference'],
  ['cards', 'ships again for every message', 'card-paid', 'webhook-sends-again'],
  ['cards', 'believes every webhook', 'card-webhook-forged', 'webhook-believed'],
  ['cards', 'answers 200 to a decline', 'card-declined', 'decline-shown-as-paid'],
  ['cards', 'answers 402 to a lost answer', 'card-answer-lost', 'money-without-order'],
  ['cards', 'ships before the answer', 'card-declined', 'sent-before-answer'],
  ['cards', 'stores the card twice', 'card-stored', 'stored-again'],
]
