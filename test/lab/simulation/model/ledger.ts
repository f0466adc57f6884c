/** Result of a request that the client knows. Unknown if the answer was lost. */
type Result = 'yes' | 'no' | 'unknown'

/** Request of a client about an order. */
export interface Asked {
  readonly what: 'create' | 'pay' | 'capture' | 'refund'
  /** Amount in hundredths. */
  readonly amount: number
  result: Result
  /** Id of the transaction or refund in the answer. */
  id?: number
}

/** Order, with everything that its shop knows. */
export interface Order {
  readonly merchant: number
  readonly paymentRef: string
  /** Amount in hundredths. */
  readonly amount: number
  readonly authorize: boolean
  readonly asked: Asked[]
  state: string
  /** Id of the transaction, if an answer contained it. */
  id?: number
  href?: string
}

/** Record of every order of all shops. */
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

/** Converts an amount of an answer to hundredths. */
export const hundredthsOf = (text: string): number => Math.round(Number(text) * 100)

export const amountOf = (hundredths: number): string =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
