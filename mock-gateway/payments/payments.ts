import type { Addresses } from '../domain/addresses.ts'
import type { Ambient } from '../domain/ambient.ts'
import type { GatewayError } from '../domain/errors.ts'
import type { Database } from '../storage/database.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { Step } from './log-events.ts'

/** What every use case of this folder works with. */
export interface Payments {
  readonly database: Database
  readonly ambient: Ambient
  readonly addresses: Addresses
}

/** What came of a payment. When the bank said no, the transaction is kept and `refusal` says why. */
export interface PaymentResult extends TransactionRecord {
  readonly refusal: GatewayError | undefined
  /** Sentences for the integrator about a request that was done, but perhaps not as meant. */
  readonly notes: readonly string[]
}

/** A transaction after what followed from its payment, and what of that its log is to tell. */
export interface Settled {
  readonly row: TransactionRow
  readonly steps: readonly Step[]
}
