import type { Selectable } from 'kysely'
import type { CurrencyConversion } from '../../domain/money/currency-conversion.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'
import type { WalletType } from '../../domain/order/wallets.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'

/** A forced outcome. */
export interface NextOutcomeTable {
  id: Id
  /** Merchant; null: the next payment of any merchant. */
  merchant_id: number | null
  /** The operation that it answers. */
  operation: 'payment' | 'capture'
  outcome: ForcedOutcome
  /** Seconds until the bank answers a capture; 0 for a payment. */
  seconds: number
  /** Number of further payments or captures with this outcome. */
  times: number
  /** The wallet that a card pays by; null: as the payer has chosen. */
  wallet_type: WalletType | null
  /** The currency conversion that the payer was offered; null: the bank does not offer one. */
  currency_converter: CurrencyConversion | null
}

export type NextOutcomeRow = Selectable<NextOutcomeTable>

export const nextOutcomeCodec = tableCodec<NextOutcomeTable>({ currency_converter: JSON_TEXT })
