import type { Selectable } from 'kysely'
import type { CurrencyConversion } from '../../domain/money/currency-conversion.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'
import { WALLET_TYPES } from '../../domain/order/wallets.ts'
import { id, integer, json, key, nullable, oneOf, type TableOf, text } from './columns.ts'

/** A forced outcome. */
export const nextOutcomeColumns = {
  id: key(),
  /** Merchant; null: the next payment of any merchant. */
  merchant_id: nullable(id()),
  /** The operation that it answers. */
  operation: text<'payment' | 'capture'>(),
  outcome: text<ForcedOutcome>(),
  /** Seconds until the bank answers a capture; 0 for a payment. */
  seconds: integer(),
  /** Number of further payments or captures with this outcome. */
  times: integer(),
  /** The wallet that a card pays by; null: as the payer has chosen. */
  wallet_type: nullable(oneOf(WALLET_TYPES)),
  /** The currency conversion that the payer was offered; null: the bank does not offer one. */
  currency_converter: nullable(json<CurrencyConversion>()),
}

type NextOutcomeTable = TableOf<typeof nextOutcomeColumns>

export type NextOutcomeRow = Selectable<NextOutcomeTable>
