import { type Asked, amountOf, ask, hundredthsOf, type Order } from '../model/ledger.ts'
import { type Fields, signed, URLS } from '../runs/merchants.ts'
import { callApi, type Said } from './calls.ts'
import { type Acting, type Acts, open, step, type Table } from './machine.ts'

/** Fields of a transaction that shops read. */
interface TransactionSeen {
  readonly id: number
  readonly status: string
  readonly amount: string
  readonly href: string | null
}

type State = 'new' | 'unknown' | 'prepared' | 'reserved' | 'paid' | 'over'
type Act =
  | 'create'
  | 'find'
  | 'again'
  | 'pay'
  | 'capture'
  | 'captureTwice'
  | 'refund'
  | 'refundAll'
  | 'look'
  | 'leave'

/** Actions of shops by the state of an order. */
const ORDER: Table<State, Act> = {
  new: { create: 1 },
  unknown: { find: 3, again: 2, leave: 1 },
  prepared: { pay: 4, look: 1, leave: 1 },
  reserved: { capture: 4, captureTwice: 2, refund: 1, look: 1, leave: 1 },
  paid: { refund: 3, refundAll: 2, look: 1, again: 1, leave: 1 },
  over: {},
}

const CARD: Fields = {
  card_number: '4111111111111111',
  card_holder: 'Anna Andersson',
  card_expiry: '1230',
}

/** CVVs by the bank's answer (specification: Test mode). */
const CVV = { 200: 8, 201: 1 }

/** Statuses that can follow a status of a transaction. */
const NEXT: Readonly<Record<string, State>> = {
  pending: 'prepared',
  '3ds pending': 'unknown',
  authorized: 'reserved',
  approved: 'paid',
  declined: 'prepared',
  failed: 'prepared',
}

const fieldsOf = ({ merchant, paymentRef, amount, authorize }: Order, over: Fields): Fields =>
  signed(merchant, {
    merchant_id: merchant,
    payment_ref: paymentRef,
    amount: amountOf(amount),
    currency: 'sek',
    test: true,
    authorize,
    ...URLS,
    webhook: JSON.stringify({
      trigger: 'payment',
      url: `http://shop-${merchant}.example/hook`,
      http_method: 'post',
      data_format: 'json',
    }),
    ...over,
  })

/** Records the result of a request. */
function note<Body>(asked: Asked, said: Said<Body>): Said<Body> {
  asked.result = { yes: 'yes', no: 'no', unknown: 'unknown', 'not sent': 'no' }[
    said.kind
  ] as Asked['result']
  return said
}

function learn(order: Order, said: Said<TransactionSeen>, otherwise: State): State {
  if (said.kind === 'unknown' || said.kind === 'not sent') return 'unknown'
  if (said.kind === 'no') return otherwise
  order.id = said.body.id
  if (said.body.href) order.href = said.body.href
  return NEXT[said.body.status] ?? 'unknown'
}

const cvv = ({ chance }: Acting) => chance.weighed(CVV)

async function create(acting: Acting, order: Order): Promise<State> {
  const isPaid = acting.chance.happens(0.7)
  const fields = isPaid ? { ...CARD, card_cvv: cvv(acting) } : { process: false }
  const asked = ask(order, isPaid ? 'pay' : 'create', order.amount)
  const said = note(
    asked,
    await callApi<TransactionSeen>(acting, 'POST', '/v1/transactions', fieldsOf(order, fields)),
  )
  if (said.kind === 'yes') asked.id = said.body.id
  return learn(order, said, 'unknown')
}

/** Finds the order by its reference, for example after a lost answer. */
async function find(acting: Acting, order: Order): Promise<State> {
  const path = `/v1/transactions?filter[payment_ref]=${order.paymentRef}&order_by=id:desc`
  const said = await callApi<readonly TransactionSeen[]>(acting, 'GET', path)
  if (said.kind !== 'yes') return 'unknown'
  const best =
    said.body.find(({ status }) => status === 'approved' || status === 'authorized') ?? said.body[0]
  return best ? learn(order, { ...said, body: best }, 'unknown') : 'new'
}

async function pay(acting: Acting, order: Order): Promise<State> {
  const asked = ask(order, 'pay', order.amount)
  const fields = { ...CARD, card_cvv: cvv(acting) }
  const said = note(
    asked,
    await callApi<TransactionSeen>(acting, 'PUT', `/v1/transactions/${order.id}`, fields),
  )
  if (said.kind === 'yes') asked.id = said.body.id
  return learn(order, said, 'unknown')
}

const capture = (acting: Acting, order: Order) =>
  captureOf(acting, order, 1 + acting.chance.below(order.amount))

async function captureOf(acting: Acting, order: Order, amount: number): Promise<State> {
  const asked = ask(order, 'capture', amount)
  const path = `/v1/transactions/${order.id}/capture`
  const said = note(
    asked,
    await callApi<TransactionSeen>(acting, 'PUT', path, { amount: amountOf(amount) }),
  )
  return learn(order, said, 'unknown')
}

async function captureTwice(acting: Acting, order: Order): Promise<State> {
  const [one, other] = await Promise.all([capture(acting, order), capture(acting, order)])
  return one === 'paid' ? one : other
}

async function refundOf(acting: Acting, order: Order, amount: number): Promise<State> {
  const asked = ask(order, 'refund', amount)
  const fields = { transaction_id: order.id, amount: amountOf(amount), reason: 'sent back' }
  const said = note(
    asked,
    await callApi<{ readonly id: number; readonly amount: string }>(
      acting,
      'POST',
      '/v1/refunds',
      fields,
    ),
  )
  if (said.kind !== 'yes') return 'unknown'
  asked.id = said.body.id
  if (hundredthsOf(said.body.amount) !== amount)
    acting.simulation.fail(
      'refund',
      `a refund of ${amountOf(amount)} was answered as ${said.body.amount}`,
    )
  return order.state as State
}

const ACTS: Acts<State, Act, Order> = {
  create,
  find,
  again: create,
  pay,
  capture,
  captureTwice,
  refund: (acting, order) => refundOf(acting, order, 1 + acting.chance.below(order.amount)),
  refundAll: (acting, order) => refundOf(acting, order, order.amount),
  async look(acting, order) {
    return learn(
      order,
      await callApi<TransactionSeen>(acting, 'GET', `/v1/transactions/${order.id}`),
      'unknown',
    )
  },
  leave: async () => 'over',
}

/**
 * Runs a turn of a shop with any of its merchant's orders; another shop can choose the same order.
 */
export async function shopTurn(acting: Acting): Promise<void> {
  const { chance, plan, simulation } = acting
  const { ledger } = simulation.model
  const [first, ...others] = open(ORDER, ledger.orders).filter(
    ({ merchant }) => merchant === plan.merchant,
  )
  const order = first && chance.happens(0.7) ? chance.pick([first, ...others]) : newOrder(acting)
  await step(ORDER, ACTS, acting, order)
}

function newOrder({ chance, plan, simulation }: Acting): Order {
  const { ledger } = simulation.model
  return ledger.add({
    merchant: plan.merchant,
    paymentRef: `order-${ledger.orders.length + 1}`,
    amount: 100 + chance.below(5_000),
    authorize: chance.happens(0.5),
    state: 'new',
  })
}
