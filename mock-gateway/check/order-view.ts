/** An order as the shop shows it. A field that is undefined is not visible and is not checked. */
export interface OrderView {
  readonly paid: boolean | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** How often the order was fulfilled; or how often each part was, such as `mail` and `stock`. */
  readonly fulfilled: number | Readonly<Record<string, number>> | undefined
  readonly refunded: string | undefined
}

/** Returns how often each part of an order was fulfilled. */
export const listCounts = ({ fulfilled }: OrderView): readonly (readonly [string, number])[] =>
  typeof fulfilled === 'object' ? Object.entries(fulfilled) : [['', fulfilled ?? 0]]

/** Returns how often the part was fulfilled that was fulfilled most often. */
export const countMostFulfilled = (order: OrderView): number =>
  Math.max(0, ...listCounts(order).map(([, count]) => count))

/** Formats an order for the steps of a case. */
export function describeOrder(order: OrderView): string {
  const { fulfilled, paid, amount, currency, refunded } = order
  const counts = listCounts(order).map(([part, count]) => `${part || 'fulfilled'} ${count}`)
  const parts = [
    ...(fulfilled === undefined ? [] : counts),
    paid !== undefined && (paid ? 'paid' : 'not paid'),
    amount !== undefined && `amount ${[amount, currency].filter(Boolean).join(' ')}`,
    refunded !== undefined && `refunded ${refunded}`,
  ]
  return parts.filter(Boolean).join(', ')
}
