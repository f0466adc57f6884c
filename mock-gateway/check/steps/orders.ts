import { type JudgedPurchase, NotCheckedError, ShopFault } from '../errors.ts'
import { countMostFulfilled, listCounts, type OrderView } from '../order-view.ts'
import { ORDER_MEMBERS } from '../plan-schema.ts'
import type { Purchase } from '../purchase.ts'
import { type Action, QUIET_MS, type Stage } from '../stage.ts'

/** Milliseconds between two requests for an order's status. */
const POLL_MS = 50

/** Reads an order of the shop, or the order of a charge. */
async function readOrder({ shop }: Stage, purchase: JudgedPurchase & Partial<Purchase>) {
  const { payment_ref: paymentRef, id, subscriptionId } = purchase
  if (id === undefined || subscriptionId === undefined || !shop.renewal)
    return shop.order(paymentRef)
  return (await shop.renewal({ paymentRef, id, subscriptionId })) ?? NO_ORDER
}

/** Reads the order of a purchase, or of a charge. */
export const seeOrder = (stage: Stage, purchase: JudgedPurchase): Promise<OrderView> =>
  stage.story.runUnrecorded(() => readOrder(stage, purchase))

/** A charge for which the shop has made no order. */
const NO_ORDER: OrderView = {
  paid: false,
  amount: undefined,
  currency: undefined,
  fulfilled: 0,
  refunded: undefined,
}

/** Judges an order by the plan's view of it. Members that the plan does not show are not judged. */
interface OrderRule {
  /** Member of the order without which the rule cannot be checked. */
  readonly needed?: keyof OrderView
  /** Returns true if the order needs no more time. Default: every order. */
  readonly isReached?: (order: OrderView, purchase: JudgedPurchase) => boolean
  /** @throws ShopFault */
  readonly judge: (order: OrderView, purchase: JudgedPurchase) => void
}

/**
 * Waits until orders are as wanted, at most as long as the plan's `settle` says. Then judges them,
 * and again after a time in which nothing has changed.
 * @throws NotCheckedError if the plan does not show a needed member
 */
async function judgeOrders(
  stage: Stage,
  purchases: readonly JudgedPurchase[],
  { needed, isReached = () => true, judge }: OrderRule,
): Promise<void> {
  const { shop, time, rest } = stage
  const { settle, quiet = QUIET_MS } = shop
  const look = async (purchase: JudgedPurchase) => {
    const order = await seeOrder(stage, purchase)
    if (needed === undefined || order[needed] !== undefined) return order
    throw new NotCheckedError(
      `The plan does not show "${needed}". Add "${needed}" to "order": the member with ${ORDER_MEMBERS[needed].description}.`,
    )
  }
  const judgeAll = async () => {
    const orders: OrderView[] = []
    for (const purchase of purchases) {
      const order = await look(purchase)
      judge(order, purchase)
      orders.push(order)
    }
    return JSON.stringify(orders)
  }
  for (const purchase of purchases)
    for (const until = time.elapsed() + settle; ; await rest(POLL_MS)) {
      const order = await look(purchase)
      if (isReached(order, purchase)) break
      if (time.elapsed() <= until) continue
      // The first order that fails is enough.
      judge(order, purchase)
      break
    }
  const until = time.elapsed() + Math.max(settle, quiet)
  for (let before = await judgeAll(); ; ) {
    await rest(quiet)
    const after = await judgeAll()
    if (before === after || time.elapsed() > until) return
    before = after
  }
}

const requireRule =
  (rule: OrderRule): Action<JudgedPurchase> =>
  (stage, purchase) =>
    judgeOrders(stage, [purchase], rule)

/** Asserts that each order is paid and fulfilled once, and shows the payment and refunds. */
export const mustBeFulfilledOnce = (stage: Stage, ...purchases: readonly JudgedPurchase[]) =>
  judgeOrders(stage, purchases, {
    needed: 'fulfilled',
    isReached: (order, purchase) =>
      isFulfilled(order, 1) && (!purchase.refunded || isRefunded(order, purchase)),
    judge(order, purchase) {
      requireFulfilled(order, purchase)
      if (order.paid === false)
        throw new ShopFault(
          'not shown as paid',
          'The order was fulfilled, and the shop does not show it as paid.',
          { order, purchase },
        )
      requirePaidAmount(order, purchase)
      if (purchase.refunded) requireRefunded(order, purchase)
    },
  })

/**
 * Asserts that the order is fulfilled once for each paid period.
 * @param made number of payments, also declined ones
 */
export const mustBeFulfilledFor = (
  stage: Stage,
  purchase: JudgedPurchase,
  paid: number,
  made: number,
) =>
  judgeOrders(stage, [purchase], {
    needed: 'fulfilled',
    isReached: (order) => isFulfilled(order, paid),
    judge: (order) => requireFulfilled(order, purchase, { paid, made }),
  })

/** Asserts that the order shows the paid amount, if it is fulfilled. */
export const mustBeAsPaid = requireRule({
  needed: 'amount',
  judge(order, purchase) {
    if (countMostFulfilled(order) > 0) requirePaidAmount(order, purchase)
  },
})

/** Keeps the order for `mustBeAsRemembered`. */
export const rememberOrder: Action = async (stage, purchase) => {
  purchase.order = await seeOrder(stage, purchase)
}

/** Asserts that a message, such as a forged webhook, changed nothing of the remembered order. */
export const mustBeAsRemembered: Action = (stage, purchase) =>
  judgeOrders(stage, [purchase], {
    judge(after) {
      const before = purchase.order ?? after
      for (const name of Object.keys(before) as (keyof OrderView)[])
        if (name !== 'fulfilled' && String(before[name]) !== String(after[name]))
          throw new ShopFault(
            'changed by a forgery',
            `A forged webhook changed "${name}" of the order from ${before[name]} to ${after[name]}.`,
          )
      if (countMostFulfilled(after) > countMostFulfilled(before)) requireFulfilled(after, purchase)
    },
  })

export const mustNotBeFulfilled = requireRule({
  needed: 'fulfilled',
  judge(order, purchase) {
    const isSent = countMostFulfilled(order) > 0
    if (isSent || order.paid === true)
      throw new ShopFault(
        'fulfilled unpaid',
        isSent
          ? 'The order was fulfilled without a payment of its amount.'
          : 'The shop shows the order as paid without a payment of its amount.',
        { order, purchase },
      )
  },
})

export const mustNotBePaid = requireRule({
  needed: 'paid',
  isReached: ({ paid }) => !paid,
  judge({ paid }) {
    if (paid)
      throw new ShopFault(
        'shown as paid',
        'The money was not taken, and the shop shows the order as paid.',
      )
  },
})

/** Asserts that the order shows the refunds at the gateway. */
export const mustBeRefunded = requireRule({
  needed: 'refunded',
  isReached: (order, purchase) => isRefunded(order, purchase),
  judge: requireRefunded,
})

const isFulfilled = (order: OrderView, times: number): boolean =>
  listCounts(order).every(([, count]) => count >= times)

const addAmounts = (parts: readonly string[] = []) =>
  parts.reduce((sum, part) => sum + Number(part), 0).toFixed(2)

const isRefunded = (order: OrderView, { refunded }: JudgedPurchase): boolean =>
  order.refunded === undefined || Number(order.refunded) === Number(addAmounts(refunded))

function requireRefunded(order: OrderView, purchase: JudgedPurchase): void {
  if (isRefunded(order, purchase)) return
  throw new ShopFault(
    'wrong refund',
    `${addAmounts(purchase.refunded)} was refunded at the gateway, and the order shows ${order.refunded}.`,
    { order, purchase },
  )
}

/** @throws ShopFault that names the part with the wrong number */
function requireFulfilled(
  order: OrderView,
  purchase: JudgedPurchase,
  periods?: { readonly paid: number; readonly made: number },
): void {
  const times = periods?.paid ?? 1
  for (const [part, count] of listCounts(order)) {
    if (count === times) continue
    const facts = { order, purchase, ...(periods && { periods: { ...periods, counted: count } }) }
    const what = part
      ? `"${part}" happened ${count} times`
      : `The order was fulfilled ${count} times`
    if (count > times)
      throw new ShopFault(
        'fulfilled again',
        `${what} for ${times === 1 ? 'one payment' : `${times} payments`}.`,
        facts,
      )
    throw new ShopFault(
      'not fulfilled',
      times === 1 && !part
        ? 'The payer paid, and the order was not fulfilled.'
        : `Money was taken ${times === 1 ? 'once' : `${times} times`}: ${what}.`,
      facts,
    )
  }
}

function requirePaidAmount(order: OrderView, purchase: JudgedPurchase): void {
  const { amount, currency } = order
  const facts = { order, purchase }
  if (amount !== undefined && Number(amount) !== Number(purchase.amount))
    throw new ShopFault(
      'wrong amount',
      `The order shows ${amount}, and ${purchase.amount} was paid.`,
      facts,
    )
  if (currency !== undefined && currency.toLowerCase() !== purchase.currency.toLowerCase())
    throw new ShopFault(
      'wrong currency',
      `The order shows ${currency}, and ${purchase.currency} was paid.`,
      facts,
    )
}
