/** An order as the shop shows it. A field that is undefined is not visible and is not checked. */
export interface OrderView {
  readonly paid: boolean | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** How often the order was fulfilled. */
  readonly fulfilled: number | undefined
  readonly refunded: string | undefined
}

/** Events of one payment. The case `every-order` tries all their orders. */
export const ORDER_EVENTS = [
  'return',
  'webhook',
  'refund',
  'webhook again',
  'second click',
  'late decline',
] as const

export type OrderEvent = (typeof ORDER_EVENTS)[number]
