import { ShopFault } from '../errors.ts'
import { ORDER_EVENTS, type OrderEvent } from '../plan-schema.ts'
import type { Purchase } from '../purchase.ts'
import { joinActions, type Stage } from '../stage.ts'
import * as orders from '../steps/orders.ts'
import * as payer from '../steps/payer.ts'
import * as staff from '../steps/staff.ts'
import * as webhooks from '../steps/webhooks.ts'
import type { CheckCase } from './case.ts'

/** Events of one payment, in their order. */
type Events = readonly OrderEvent[]

/** Events whose orders are tried if the plan names none: 12 orders. */
const USUAL_EVENTS = ORDER_EVENTS.slice(0, 4)

/** @param place of the payment's webhooks: 1 after a declined attempt, otherwise 0 */
type EventAction = (stage: Stage, purchase: Purchase, place: number) => Promise<unknown>

const deliverNewestEvent = webhooks.ifAny((stage, purchase) =>
  webhooks.deliverEvent(stage, purchase, -1),
)

/** Actions by event. An action returns false if the shop did not accept the webhooks. */
const EVENTS: Readonly<Record<OrderEvent, EventAction>> = {
  return: payer.openReturn,
  webhook: webhooks.deliverEvent,
  'webhook again': (stage, purchase, place) =>
    webhooks.deliverEvent(stage, purchase, place, 'webhook again'),
  'second click': joinActions(payer.pay, payer.openReturn),
  async refund(stage, purchase) {
    // A refund of a reservation would release it, see the case "void".
    if ((await staff.readStatus(stage, purchase)) !== 'approved') return undefined
    await staff.refundPart(0.5)(stage, purchase)
    return deliverNewestEvent(stage, purchase)
  },
  'late decline': (stage, purchase) => webhooks.deliverEvent(stage, purchase, 0),
}

/** Number of orders that are tried at the same time, each with its own payment. */
const WORKERS = 16

/** The case that tries the events of a payment in every order. */
export const ORDER_CASES: readonly CheckCase[] = [
  {
    name: 'every-order',
    done: 'Return, webhook, the same webhook again and a refund happen in every possible order, each with a new payment.',
    must: 'Each payment is fulfilled once, and its refund is shown.',
    why: 'Browser, webhooks and dashboard do not wait for each other.',
    async run(stage, unrecorded) {
      const broken = await findBreakingOrder(
        unrecorded,
        listOrders(stage.shop.events ?? USUAL_EVENTS),
      )
      if (!broken) return
      const shortest = await shorten(unrecorded, broken.order)
      const fault = (await findFault(stage, [await play(stage, shortest)])) ?? broken.fault
      throw new ShopFault(
        fault.violation,
        `When the events were ${shortest.join(', then ')}: ${fault.message}`,
        fault.facts,
      )
    },
  },
]

/**
 * Events that send the shop the same request as another one: the webhook again, or the return
 * address, to which the gateway redirects a second click on Pay.
 */
const REPEATS: Readonly<Partial<Record<OrderEvent, OrderEvent>>> = {
  'webhook again': 'webhook',
  'second click': 'return',
}

/**
 * Returns all orders of these events. An event comes before its repeat, because exchanging only
 * these two gives the shop the same requests.
 */
export function listOrders(events: Events): readonly Events[] {
  if (events.length === 0) return [[]]
  return events
    .filter((first) => events.every((each) => each !== REPEATS[first]))
    .flatMap((first) =>
      listOrders(events.filter((each) => each !== first)).map((rest) => [first, ...rest]),
    )
}

/**
 * Plays all orders of events, then judges them after one time of quiet. @returns the first order
 * that fails
 */
async function findBreakingOrder(stage: Stage, orders: readonly Events[]) {
  const remaining = [...orders]
  const played: { readonly order: Events; readonly purchase: Purchase }[] = []
  async function playOrders() {
    for (let order = remaining.shift(); order; order = remaining.shift())
      played.push({ order, purchase: await play(stage, order) })
  }
  await Promise.all(Array.from({ length: WORKERS }, playOrders))
  const fault = await findFault(
    stage,
    played.map(({ purchase }) => purchase),
  )
  if (!fault) return undefined
  const { payment_ref } = fault.facts.purchase ?? {}
  const found = played.find(({ purchase }) => purchase.payment_ref === payment_ref)
  return { order: found?.order ?? [], fault }
}

/** Omits events for as long as the shop still fails. */
async function shorten(stage: Stage, order: Events): Promise<Events> {
  if (order.length === 1) return order
  const shorter = order.map((omitted) => order.filter((each) => each !== omitted))
  const found = await findBreakingOrder(stage, shorter)
  return found ? shorten(stage, found.order) : order
}

/** Runs events in one order. */
async function play(stage: Stage, order: Events): Promise<Purchase> {
  const purchase = await payer.buy(stage)
  purchase.refunded = []
  const isDeclined = order.includes('late decline')
  if (isDeclined) await payer.payDeclined(stage, purchase)
  await payer.pay(stage, purchase)
  let isAllDelivered = order.includes('webhook') || order.includes('webhook again')
  for (const event of order)
    if ((await EVENTS[event](stage, purchase, isDeclined ? 1 : 0)) === false) isAllDelivered = false
  if (!isAllDelivered) await webhooks.deliver(stage, purchase)
  return purchase
}

/** @returns the mistake of the shop; undefined if it makes none */
async function findFault(stage: Stage, purchases: readonly Purchase[]) {
  try {
    await orders.mustBeFulfilledOnce(stage, ...purchases)
    return undefined
  } catch (error) {
    if (error instanceof ShopFault) return error
    throw error
  }
}
