/** The result of a request, as its client knows it; unknown if the answer was lost. */
type Result = 'yes' | 'no' | 'unknown'

/** Something that a client has asked for about an order. */
export interface Asked {
  readonly what: 'create' | 'pay' | 'capture' | 'refund'
  /** Hundredths. */
  readonly amount: number
  result: Result
  /** Id of the transaction or refund in the answer. */
  id?: number
}

/** An order as its shop knows it. */
export interface Order {
  readonly merchant: number
  readonly paymentRef: string
  /** Hundredths. */
  readonly amount: number
  readonly authorize: boolean
  readonly asked: Asked[]
  state: string
  /** Id of its transaction, if an answer contained it. */
  id?: number
  href?: string
}

/** Every order that any shop has made. */
export class Ledger {
  readonly orders: Order[] = []

  add(order: Omit<Order, 'asked'>): Order {
    const added = { ...order, asked: [] }
    this.orders.push(added)
    return added
  }
}

/**
 * Records a request before it is sent: if the answer never arrives, the change may have been made.
 */
export function ask(order: Order, what: Asked['what'], amount: number): Asked {
  const asked: Asked = { what, amount, result: 'unknown' }
  order.asked.push(asked)
  return asked
}

/** Hundredths of an amount of the wire. */
export const hundredthsOf = (text: string): number => Math.round(Number(text) * 100)

export const amountOf = (hundredths: number): string =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
