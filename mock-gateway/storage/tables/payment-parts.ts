import type { LogEvent } from '../../contract/wire.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'
import {
  amount,
  id,
  key,
  listed,
  moment,
  type NewRowOf,
  nullable,
  type RowOf,
  reference,
  repeatedJson,
  text,
} from './columns.ts'

export const logEventColumns = {
  id: key(),
  transaction_id: reference('transactions'),
  event_type: text<LogEvent['event_type']>(),
  data: repeatedJson<LogEvent['data']>(),
  created_at: moment(),
}

export type LogEventRow = RowOf<typeof logEventColumns>
export type NewLogEventRow = NewRowOf<typeof logEventColumns>

export const captureColumns = {
  id: key(),
  merchant_id: id(),
  transaction_id: reference('transactions'),
  amount: amount(),
  created_at: moment(),
}

export type CaptureRow = RowOf<typeof captureColumns>

/** A capture that the bank has received and not answered yet. */
export const pendingCaptureColumns = {
  id: key(),
  /** Transaction, which has at most one pending capture. */
  transaction_id: reference('transactions'),
  merchant_id: id(),
  amount: amount(),
  /** The bank's future answer. */
  outcome: text<ForcedOutcome>(),
  /** Time of the answer: epoch milliseconds by the merchant's clock. */
  answer_at: moment(),
}

/** The columns of `refunds`. */
export const refundColumns = {
  id: listed(key()),
  merchant_id: id(),
  transaction_id: listed(reference('transactions')),
  amount: listed(amount()),
  reason: listed(text()),
  ref: nullable(text()),
  created_at: listed(moment()),
}

export type RefundRow = RowOf<typeof refundColumns>

/** A payer who was sent to an address of the shop that accepted no connection. */
export const returnFailureColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  transaction_id: reference('transactions'),
  /** Scheme, host and port, such as `https://shop.example`. */
  address: text(),
  /** Reason in one or two sentences. */
  reason: text(),
  created_at: moment(),
}

export type ReturnFailureRow = RowOf<typeof returnFailureColumns>
