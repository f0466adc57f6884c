import type { Addresses } from '../domain/addresses.ts'
import type { Ambient } from '../domain/ambient.ts'
import type { GatewayError } from '../domain/errors.ts'
import type { Database } from '../storage/database.ts'
import type { TransactionParts } from '../storage/transaction-parts.ts'
import type { TransactionRow } from '../storage/transactions.ts'

/** What every use case of this folder works with. */
export interface Payments {
  readonly database: Database
  readonly ambient: Ambient
  readonly addresses: Addresses
}

/** A transaction with the rows that belong to it. */
export interface TransactionRecord {
  readonly row: TransactionRow
  readonly parts: TransactionParts
}

/** What came of a payment. When the bank said no, the transaction is kept and `refusal` says why. */
export interface PaymentResult extends TransactionRecord {
  readonly refusal: GatewayError | undefined
}
