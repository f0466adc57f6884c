import type { Addresses } from '../domain/addresses.ts'
import type { Ambient } from '../domain/ambient.ts'
import type { GatewayError } from '../domain/errors.ts'
import type { Database } from '../storage/database.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'

/** What every use case of this folder works with. */
export interface Payments {
  readonly database: Database
  readonly ambient: Ambient
  readonly addresses: Addresses
}

/** What came of a payment. When the bank said no, the transaction is kept and `refusal` says why. */
export interface PaymentResult extends TransactionRecord {
  readonly refusal: GatewayError | undefined
}
