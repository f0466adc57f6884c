import { type Judged, NotCheckedError, ShopFault } from './errors.ts'
import { listCounts, mostFulfilled, type OrderView } from './order-view.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { CheckTime } from './time.ts'

/** Milliseconds between two requests for an order's status. */
const POLL_MS = 50

/** Members that a rule needs, with their content. */
const CONTENTS = {
  paid: 'whether the order is paid',
  amount: 'the amount of the order',
  fulfilled: 'how often the goods were sent',
  refunded: 'the refunded amount',
} as const

type Refunded = Judged & { readonly refunds?: readonly string[] }

/**
 * Judges orders by the plan's view of them. Members that the plan does not show are not judged.
 * @param time its `wait` lets other cases act meanwhile
 * @param see reads the order of a purchase
 */
export function createOrderRules(
  { settle, quiet }: Required<Pick<ShopUnderCheck, 'settle' | 'quiet'>>,
  time: CheckTime,
  see: (purchase: Judged) => Promise<OrderView>,
) {
  /**
   * Waits until orders are as wanted, at most as long as the plan's `settle` says. Then judges them,
   * and again after a time in which nothing has changed.
   * @throws NotCheckedError if the plan does not show a needed member
   */
  async function judge<Order extends Judged>(
    purchases: readonly Order[],
    needed: keyof typeof CONTENTS | undefined,
    isWanted: (order: OrderView, purchase: Order) => boolean,
    rule: (order: OrderView, purchase: Order) => void,
  ): Promise<void> {
    const look = async (purchase: Order) => {
      const order = await see(purchase)
      if (needed === undefined || order[needed] !== undefined) return order
      throw new NotCheckedError(
        `The plan does not show "${needed}". Add "${needed}" to "order": the member with ${CONTENTS[needed]}.`,
      )
    }
    const judgeAll = async () => {
      const orders: OrderView[] = []
      for (const purchase of purchases) {
        const order = await look(purchase)
        rule(order, purchase)
        orders.push(order)
      }
      return JSON.stringify(orders)
    }
    for (const purchase of purchases)
      for (const until = time.elapsed() + settle; ; await time.wait(POLL_MS)) {
        const order = await look(purchase)
        if (isWanted(order, purchase)) break
        if (time.elapsed() <= until) continue
        // The first order that fails is enough.
        rule(order, purchase)
        break
      }
    const until = time.elapsed() + Math.max(settle, quiet)
    for (let before = await judgeAll(); ; ) {
      await time.wait(quiet)
      const after = await judgeAll()
      if (before === after || time.elapsed() > until) return
      before = after
    }
  }
  const always = () => true
  const isFulfilled = (order: OrderView) => listCounts(order).every(([, count]) => count > 0)

  return {
    see,
    /** Asserts that each order is paid and fulfilled once, and shows the payment and refunds. */
    mustBeFulfilledOnce: (...purchases: readonly Refunded[]) =>
      judge(
        purchases,
        'fulfilled',
        (order, { refunds }) => isFulfilled(order) && (!refunds || isRefunded(order, refunds)),
        (order, purchase) => {
          requireFulfilled(order, purchase)
          if (order.paid === false)
            throw new ShopFault(
              'not shown as paid',
              'The order was fulfilled, and the shop does not show it as paid.',
              { order, purchase },
            )
          requirePaidAmount(order, purchase)
          if (purchase.refunds) requireRefunded(order, purchase, purchase.refunds)
        },
      ),
    /**
     * Asserts that the order is fulfilled once for each paid period.
     * @param made number of payments, also declined ones
     */
    mustBeFulfilledFor: (purchase: Judged, paid: number, made: number) =>
      judge(
        [purchase],
        'fulfilled',
        (order) => listCounts(order).every(([, count]) => count >= paid),
        (order) => requireFulfilled(order, purchase, { paid, made }),
      ),
    /** Asserts that the order shows the paid amount, if it is fulfilled. */
    mustBeAsPaid: (purchase: Judged) =>
      judge([purchase], 'amount', always, (order) => {
        if (mostFulfilled(order) > 0) requirePaidAmount(order, purchase)
      }),
    /** Asserts that a message changed nothing of the order. */
    mustBeAs: (before: OrderView, purchase: Judged) =>
      judge([purchase], undefined, always, (after) => {
        for (const name of Object.keys(before) as (keyof OrderView)[])
          if (name !== 'fulfilled' && String(before[name]) !== String(after[name]))
            throw new ShopFault(
              'changed by a forgery',
              `A forged webhook changed "${name}" of the order from ${before[name]} to ${after[name]}.`,
            )
        if (mostFulfilled(after) > mostFulfilled(before)) requireFulfilled(after, purchase)
      }),
    mustNotBeFulfilled: (purchase: Judged) =>
      judge([purchase], 'fulfilled', always, (order) => {
        const isSent = mostFulfilled(order) > 0
        if (isSent || order.paid === true)
          throw new ShopFault(
            'fulfilled unpaid',
            isSent
              ? 'The order was fulfilled without a payment of its amount.'
              : 'The shop shows the order as paid without a payment of its amount.',
            { order, purchase },
          )
      }),
    mustNotBePaid: (purchase: Judged) =>
      judge(
        [purchase],
        'paid',
        ({ paid }) => !paid,
        ({ paid }) => {
          if (paid)
            throw new ShopFault(
              'shown as paid',
              'The money was not taken, and the shop shows the order as paid.',
            )
        },
      ),
    /** @param refunds at the gateway, the oldest first */
    mustBeRefunded: (purchase: Judged, refunds: readonly string[]) =>
      judge(
        [purchase],
        'refunded',
        (order) => isRefunded(order, refunds),
        (order) => requireRefunded(order, purchase, refunds),
      ),
  }
}

const addAmounts = (parts: readonly string[]) =>
  parts.reduce((sum, part) => sum + Number(part), 0).toFixed(2)

const isRefunded = ({ refunded }: OrderView, refunds: readonly string[]): boolean =>
  refunded === undefined || Number(refunded) === Number(addAmounts(refunds))

function requireRefunded(order: OrderView, purchase: Judged, refunds: readonly string[]): void {
  if (isRefunded(order, refunds)) return
  throw new ShopFault(
    'wrong refund',
    `${addAmounts(refunds)} was refunded at the gateway, and the order shows ${order.refunded}.`,
    { order, purchase, refunds },
  )
}

/** @throws ShopFault that names the part with the wrong number */
function requireFulfilled(
  order: OrderView,
  purchase: Judged,
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

function requirePaidAmount(order: OrderView, purchase: Judged): void {
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
