import type { Reference } from './reference.ts'
import type { Transaction } from './transaction.ts'

/** Money given back, or a reservation released (observed: 7.4). `amount` is decimal text with two decimals. */
export interface Refund {
  readonly id: number
  readonly created_at: string
  readonly amount: string
  readonly reason: string
  readonly ref: string | null
  readonly transaction: Reference | Transaction
}

/** Money taken from a reservation (specification: captures). `amount` is decimal text with two decimals. */
export interface Capture {
  readonly id: number
  readonly created_at: string
  readonly amount: string
}
