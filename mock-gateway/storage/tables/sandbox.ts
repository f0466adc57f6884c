import type { FaultKind } from '../../domain/fault-kinds.ts'
import type { CurrencyConversion } from '../../domain/money/currency-conversion.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'
import { WALLET_TYPES } from '../../domain/order/wallets.ts'
import {
  count,
  id,
  integer,
  json,
  key,
  moment,
  nullable,
  oneOf,
  primary,
  type RowOf,
  real,
  text,
} from './columns.ts'

/** A rule that waits for requests. */
export const faultColumns = {
  id: key(),
  /** Merchant; null: affects requests before the login. */
  merchant_id: nullable(id()),
  kind: text<FaultKind>(),
  /** Delay of latency and late_answer; 0 for other kinds. */
  milliseconds: integer(),
  /** HTTP method in capitals; null: every method. */
  method: nullable(text()),
  /** Start of the path of affected requests; null: every path. */
  path: nullable(text()),
  /** Number of requests to affect; null: until it is deleted. */
  times: nullable(integer()),
  /** End, epoch milliseconds of the machine; null: `times` decides. */
  until: nullable(moment()),
  /** Share of the matching requests, above 0 up to 1. */
  probability: real(),
  seed: text(),
  /** Number of affected requests. */
  struck: integer(),
  /** Number of requests that matched, and so of values drawn from its seed. */
  drawn: integer(),
}

export type FaultRow = RowOf<typeof faultColumns>

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

export type NextOutcomeRow = RowOf<typeof nextOutcomeColumns>

/** Random seed. Gateways that share the data use separate streams, so no value is drawn twice. */
export const seedColumns = {
  /** 0 for the seed of merchants without their own. */
  merchant_id: primary(id()),
  seed: text(),
  /** Number of started streams. */
  streams: integer(),
  /** A stream that a gateway freed at its end; null if there is none. */
  free_stream: nullable(integer()),
  /** Number of values that were drawn from the free stream. */
  drawn: nullable(count()),
}
