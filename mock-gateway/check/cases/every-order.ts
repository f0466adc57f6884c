import type { OrderEvent } from '../order-view.ts'
import { type Purchase, ShopFault, type Stage } from '../stage.ts'
import { type CheckCase, ifAny } from './case.ts'

interface PaidPurchase {
  readonly purchase: Purchase
  /** The return address. */
  readonly back: string
  /** Index of the payment's webhooks: 1 after a declined attempt, otherwise 0. */
  readonly place: number
}

type EventAction = (stage: Stage, paid: PaidPurchase) => Promise<unknown>

/** Actions by event. An action returns false if the shop did not accept the webhooks. */
const EVENTS: Readonly<Record<OrderEvent, EventAction>> = {
  return: (stage, { back }) => stage.visit(back),
  webhook: (stage, { purchase, place }) => stage.arrive(purchase, place),
  'webhook again': (stage, { purchase, place }) => stage.arrive(purchase, place),
  'second click': async (stage, { purchase }) => stage.visit(await stage.pay(purchase)),
  refund: async (stage, { purchase }) => {
    await stage.refund(purchase, half(purchase))
    return ifAny(stage.arrive(purchase, -1))
  },
  'late decline': (stage, { purchase }) => stage.arrive(purchase, 0),
}

const half = ({ amount }: Purchase) => (Number(amount) / 2).toFixed(2)

/** Number of orders that are tried at the same time, each with its own payment. */
const WORKERS = 16

/** The case that tries the events of a payment in every order. */
export const ORDER_CASES: readonly CheckCase[] = [
  {
    name: 'every-order',
    done: 'Return, webhook, the same webhook again and a refund happen in every possible order, each with a new payment.',
    must: 'Each payment is fulfilled once, and its refund is shown.',
    why: 'Browser, webhooks and dashboard do not wait for each other.',
    fix: 'For every event, read the transaction from the gateway, and update the order from it.',
    async run(stage, unrecorded) {
      const { cause, order } = (await findBreakingOrder(unrecorded, stage.events)) ?? {}
      if (!cause || !order) return
      const shortest = await shorten(unrecorded, order)
      const seen = await findCause(stage, shortest)
      throw new ShopFault(`In the order ${shortest.join(', ')}: ${seen ?? cause}`)
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
export function listOrders(events: readonly OrderEvent[]): readonly (readonly OrderEvent[])[] {
  if (events.length === 0) return [[]]
  return events
    .filter((first) => events.every((each) => each !== REPEATS[first]))
    .flatMap((first) =>
      listOrders(events.filter((each) => each !== first)).map((rest) => [first, ...rest]),
    )
}

async function findBreakingOrder(stage: Stage, events: readonly OrderEvent[]) {
  const remaining = [...listOrders(events)]
  let broken: { readonly order: readonly OrderEvent[]; readonly cause: string } | undefined
  async function tryOrders() {
    for (let order = remaining.shift(); order && !broken; order = remaining.shift()) {
      const cause = await findCause(stage, order)
      if (cause !== undefined) broken ??= { order, cause }
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, tryOrders))
  return broken
}

/** Omits events for as long as the shop still fails. */
async function shorten(stage: Stage, order: readonly OrderEvent[]): Promise<readonly OrderEvent[]> {
  if (order.length === 1) return order
  const shorter = order.map((omitted) => order.filter((each) => each !== omitted))
  const causes = await Promise.all(shorter.map((each) => findCause(stage, each)))
  const found = shorter.find((_, index) => causes[index] !== undefined)
  return found ? shorten(stage, found) : order
}

/** Runs events in one order. @returns the mistake of the shop; undefined if it makes none */
async function findCause(stage: Stage, order: readonly OrderEvent[]): Promise<string | undefined> {
  const purchase = await stage.buy()
  const isDeclined = order.includes('late decline')
  if (isDeclined) await stage.pay(purchase, 'declined')
  const paid = { purchase, back: await stage.pay(purchase), place: isDeclined ? 1 : 0 }
  try {
    let isAllDelivered = order.includes('webhook') || order.includes('webhook again')
    for (const event of order)
      if ((await EVENTS[event](stage, paid)) === false) isAllDelivered = false
    if (!isAllDelivered) await ifAny(stage.release(purchase))
    await stage.mustBeSettled(purchase, order.includes('refund') ? half(purchase) : undefined)
    return undefined
  } catch (error) {
    if (error instanceof ShopFault) return error.message
    throw error
  }
}
