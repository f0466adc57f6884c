import { NotCheckedError, ShopFault } from './errors.ts'
import { countsOf, mostFulfilled, type OrderView } from './order-view.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { Purchase } from './purchase.ts'
import type { CheckTime } from './time.ts'

/** Milliseconds between two requests for an order's status. */
const POLL_MS = 50

/** Facts of a purchase or a charge that decide whether its order is right. */
type Judged = Pick<Purchase, 'paymentRef' | 'amount' | 'currency' | 'subscriptionId'>

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
  async function seeMember<Name extends keyof OrderView>(
    purchase: Judged,
    name: Name,
    content: string,
  ) {
    const order = await see(purchase)
    if (order[name] !== undefined)
      return order as OrderView & Record<Name, NonNullable<OrderView[Name]>>
    throw new NotCheckedError(
      `The plan does not show "${name}". Add "${name}" to "order": the member with ${content}.`,
    )
  }
  const seeFulfilled = (purchase: Judged) =>
    seeMember(purchase, 'fulfilled', 'how often the goods were sent')

  /** Reads an order until it is as wanted, as long as the plan's `settle` says. */
  async function waitForOrder(
    look: () => Promise<OrderView>,
    isWanted: (view: OrderView) => boolean,
  ): Promise<OrderView> {
    const until = time.elapsed() + settle
    for (;;) {
      const view = await look()
      if (isWanted(view) || time.elapsed() > until) return view
      await time.wait(POLL_MS)
    }
  }
  async function waitUntilFulfilled(purchase: Judged, times: number): Promise<void> {
    const isDone = (order: OrderView) => countsOf(order).every(([, count]) => count >= times)
    await waitForOrder(() => seeFulfilled(purchase), isDone)
  }
  /** Judges orders, and again after a time in which nothing has changed. */
  async function judgeWhenQuiet<Order extends Judged>(
    purchases: readonly Order[],
    judge: (order: OrderView, purchase: Order) => void,
    look: (purchase: Order) => Promise<OrderView> = seeFulfilled,
  ): Promise<void> {
    const until = time.elapsed() + Math.max(settle, quiet)
    const judgeAll = async () => {
      const orders: OrderView[] = []
      for (const purchase of purchases) {
        const order = await look(purchase)
        judge(order, purchase)
        orders.push(order)
      }
      return JSON.stringify(orders)
    }
    for (let before = await judgeAll(); ; ) {
      await time.wait(quiet)
      const after = await judgeAll()
      if (before === after || time.elapsed() > until) return
      before = after
    }
  }
  const rules = {
    see,
    /** Asserts that each order is paid and fulfilled once, with the paid amount. */
    async mustBeFulfilledOnce(...purchases: readonly Judged[]) {
      for (const purchase of purchases) await waitUntilFulfilled(purchase, 1)
      await judgeWhenQuiet(purchases, (order, purchase) => {
        requireFulfilled(order, 1, 1, purchase)
        requirePaid(order, purchase)
      })
    },
    /**
     * Asserts that the order is fulfilled so often.
     * @param made number of payments, also declined ones
     */
    async mustBeFulfilled(purchase: Judged, times: number, made = times) {
      await waitUntilFulfilled(purchase, times)
      await judgeWhenQuiet([purchase], (order) => requireFulfilled(order, times, made))
    },
    /** Asserts that each order is paid, fulfilled once, and shows its refund if it has one. */
    async mustBeSettled(purchases: readonly (Judged & { readonly refunded?: string })[]) {
      for (const purchase of purchases)
        await waitForOrder(
          () => seeFulfilled(purchase),
          (order) => mostFulfilled(order) > 0 && isRefunded(order, purchase.refunded),
        )
      await judgeWhenQuiet(purchases, (order, purchase) => {
        requireFulfilled(order, 1)
        requirePaid(order, purchase)
        const { refunded } = purchase
        if (refunded !== undefined && !isRefunded(order, refunded))
          throw refundFault([refunded], order)
      })
    },
    /** Asserts that the order shows the paid amount, if it is fulfilled. */
    async mustBeAsPaid(purchase: Judged) {
      await seeMember(purchase, 'amount', 'the amount of the order')
      await judgeWhenQuiet([purchase], (order) => {
        if (mostFulfilled(order) > 0) requirePaidAmount(order, purchase)
      })
    },
    /** Asserts that a message changed nothing of the order. */
    async mustBeAs(before: OrderView, purchase: Judged) {
      const names = Object.keys(before) as (keyof OrderView)[]
      await judgeWhenQuiet(
        [purchase],
        (after) => {
          const changed = names.find((name) => String(before[name]) !== String(after[name]))
          if (changed && changed !== 'fulfilled')
            throw new ShopFault(
              'changed by a forgery',
              `A forged webhook changed "${changed}" of the order from ${before[changed]} to ${after[changed]}.`,
            )
          if (mostFulfilled(after) > mostFulfilled(before)) requireFulfilled(after, 1)
        },
        see,
      )
    },
    async mustNotBeFulfilled(purchase: Judged) {
      await judgeWhenQuiet([purchase], (order) => {
        if (mostFulfilled(order) > 0)
          throw new ShopFault(
            'fulfilled unpaid',
            'The order was fulfilled without a payment of its amount.',
          )
        if (order.paid === true)
          throw new ShopFault(
            'fulfilled unpaid',
            'The shop shows the order as paid without a payment of its amount.',
          )
      })
    },
    async mustNotBePaid(purchase: Judged) {
      const look = () => seeMember(purchase, 'paid', 'whether the order is paid')
      const order = await waitForOrder(look, ({ paid }) => !paid)
      if (order.paid)
        throw new ShopFault(
          'shown as paid',
          'The money was not taken, and the shop shows the order as paid.',
        )
    },
    /** @param parts the refunds at the gateway, the oldest first */
    async mustBeRefunded(purchase: Judged, parts: readonly string[]) {
      const look = () => seeMember(purchase, 'refunded', 'the refunded amount')
      const sum = sumOf(parts)
      await waitForOrder(look, (order) => isRefunded(order, sum))
      await judgeWhenQuiet(
        [purchase],
        (order) => {
          if (!isRefunded(order, sum)) throw refundFault(parts, order)
        },
        look,
      )
    },
  }
  return rules
}

const sumOf = (parts: readonly string[]) =>
  parts.reduce((sum, part) => sum + Number(part), 0).toFixed(2)

const isRefunded = ({ refunded }: OrderView, wanted: string | undefined): boolean =>
  wanted === undefined || refunded === undefined || Number(refunded) === Number(wanted)

const refundFault = (parts: readonly string[], { refunded = '' }: OrderView) =>
  new ShopFault(
    'wrong refund',
    `${sumOf(parts)} was refunded at the gateway, and the order shows ${refunded}.`,
    { refunded: { shown: refunded, parts } },
  )

/** @throws ShopFault that names the part with the wrong number */
function requireFulfilled(order: OrderView, times: number, made = times, purchase?: Judged): void {
  const paid = times === 1 ? 'one payment' : `${times} payments`
  for (const [part, count] of countsOf(order)) {
    const what = part
      ? `"${part}" happened ${count} times`
      : `The order was fulfilled ${count} times`
    const facts =
      made > 1
        ? { charges: { paid: times, made, counted: count } }
        : { ...(purchase && { shown: { order, paid: purchase } }) }
    if (count > times) throw new ShopFault('fulfilled again', `${what} for ${paid}.`, facts)
    if (count < times)
      throw new ShopFault(
        'not fulfilled',
        times === 1 && !part
          ? 'The payer paid, and the order was not fulfilled.'
          : `Money was taken ${times === 1 ? 'once' : `${times} times`}: ${what}.`,
        facts,
      )
  }
}

function requirePaid(order: OrderView, purchase: Judged): void {
  if (order.paid === false)
    throw new ShopFault(
      'not shown as paid',
      'The order was fulfilled, and the shop does not show it as paid.',
    )
  requirePaidAmount(order, purchase)
}

function requirePaidAmount(order: OrderView, purchase: Judged): void {
  const { amount, currency } = order
  const shown = { order, paid: purchase }
  if (amount !== undefined && Number(amount) !== Number(purchase.amount))
    throw new ShopFault(
      'wrong amount',
      `The order shows ${amount}, and ${purchase.amount} was paid.`,
      { shown },
    )
  if (currency !== undefined && currency.toLowerCase() !== purchase.currency.toLowerCase())
    throw new ShopFault(
      'wrong currency',
      `The order shows ${currency}, and ${purchase.currency} was paid.`,
      { shown },
    )
}
