import { performance, timers } from '../domain/timers.ts'
import type { OrderView } from './order-view.ts'
import type { ShopUnderCheck } from './plan.ts'
import { NotCheckedError, type Purchase, ShopFault, type StageRequirements } from './stage.ts'

/** Milliseconds between two requests for an order's status. */
const POLL_MS = 50
/** Milliseconds after which a shop that was not paid is judged. */
const QUIET_MS = 300

type Oracle = Omit<StageRequirements, 'charges' | 'mustBePaidOnce'>

/** Judges orders by the plan's view of them. Members that the plan does not show are not judged. */
export function createOracle(shop: ShopUnderCheck): Oracle {
  const see = (purchase: Purchase) => shop.order(purchase.paymentRef)
  async function seeMember<Name extends keyof OrderView>(
    purchase: Purchase,
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
  const seeFulfilled = (purchase: Purchase) =>
    seeMember(purchase, 'fulfilled', 'how often the goods were sent')
  /** Looks at an order until it is as wanted, as long as the plan's `settle` says. */
  async function waitForOrder<View>(
    look: () => Promise<View>,
    isWanted: (view: View) => boolean,
  ): Promise<View> {
    const until = performance.now() + shop.settle
    for (;;) {
      const view = await look()
      if (isWanted(view) || performance.now() > until) return view
      await timers.pause(POLL_MS)
    }
  }
  async function mustBeFulfilled(purchase: Purchase, times: number): Promise<OrderView> {
    const first = await waitForOrder(
      () => seeFulfilled(purchase),
      ({ fulfilled }) => fulfilled >= times,
    )
    requireFulfilled(first, times)
    await timers.pause(POLL_MS)
    const order = await seeFulfilled(purchase)
    requireFulfilled(order, times)
    return order
  }
  return {
    see,
    async mustBeFulfilledOnce(purchase) {
      requirePaid(await mustBeFulfilled(purchase, 1), purchase)
    },
    async mustBeSettled(purchase, refunded) {
      const isRefunded = (order: OrderView) =>
        refunded === undefined ||
        order.refunded === undefined ||
        Number(order.refunded) === Number(refunded)
      const order = await waitForOrder(
        () => seeFulfilled(purchase),
        (seen) => seen.fulfilled > 0 && isRefunded(seen),
      )
      requireFulfilled(order, 1)
      requirePaid(order, purchase)
      if (!isRefunded(order)) throw new ShopFault(describeRefund(refunded, order))
    },
    async mustBeFulfilled(purchase, times) {
      await mustBeFulfilled(purchase, times)
    },
    async mustBeAsPaid(purchase) {
      await timers.pause(QUIET_MS)
      const order = await seeFulfilled(purchase)
      await seeMember(purchase, 'amount', 'the amount of the order')
      if (order.fulfilled > 0) requirePaidAmount(order, purchase)
    },
    async mustBeAs(before, purchase) {
      await timers.pause(QUIET_MS)
      const after = await see(purchase)
      const names = Object.keys(before) as (keyof OrderView)[]
      const changed = names.find((name) => before[name] !== after[name])
      if (changed)
        throw new ShopFault(
          `A forged webhook changed "${changed}" of the order from ${before[changed]} to ${after[changed]}.`,
        )
    },
    async mustNotBeFulfilled(purchase) {
      await timers.pause(QUIET_MS)
      const { fulfilled, paid } = await seeFulfilled(purchase)
      if (fulfilled > 0)
        throw new ShopFault('The order was fulfilled without a payment of its amount.')
      if (paid === true)
        throw new ShopFault('The shop shows the order as paid without a payment of its amount.')
    },
    async mustNotBePaid(purchase) {
      const look = () => seeMember(purchase, 'paid', 'whether the order is paid')
      const { paid } = await waitForOrder(look, (order) => !order.paid)
      if (paid)
        throw new ShopFault('The money was not taken, and the shop shows the order as paid.')
    },
    async mustBeRefunded(purchase, amount) {
      const look = () => seeMember(purchase, 'refunded', 'the refunded amount')
      const order = await waitForOrder(look, ({ refunded }) => Number(refunded) >= Number(amount))
      if (Number(order.refunded) !== Number(amount))
        throw new ShopFault(describeRefund(amount, order))
    },
  }
}

const describeRefund = (amount: string | undefined, { refunded }: OrderView): string =>
  `${amount} was refunded at the gateway, and the order shows ${refunded}.`

function requireFulfilled({ fulfilled = 0 }: OrderView, times: number): void {
  if (fulfilled < times)
    throw new ShopFault(
      times === 1
        ? 'The payer paid, and the order was not fulfilled.'
        : `Money was taken ${times} times, and the order was fulfilled ${fulfilled} times.`,
    )
  if (fulfilled > times)
    throw new ShopFault(
      `The order was fulfilled ${fulfilled} times for ${times === 1 ? 'one payment' : `${times} payments`}.`,
    )
}

function requirePaid(order: OrderView, purchase: Purchase): void {
  if (order.paid === false)
    throw new ShopFault('The order was fulfilled, and the shop does not show it as paid.')
  requirePaidAmount(order, purchase)
}

function requirePaidAmount({ amount, currency }: OrderView, purchase: Purchase): void {
  if (amount !== undefined && Number(amount) !== Number(purchase.amount))
    throw new ShopFault(`The order shows ${amount}, and ${purchase.amount} was paid.`)
  if (currency !== undefined && currency.toLowerCase() !== purchase.currency.toLowerCase())
    throw new ShopFault(`The order shows ${currency}, and ${purchase.currency} was paid.`)
}
