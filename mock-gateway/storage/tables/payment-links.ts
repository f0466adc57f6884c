import type { Currency } from '../../domain/money/currencies.ts'
import {
  amount,
  flag,
  id,
  integer,
  key,
  moment,
  nullable,
  type RowOf,
  reference,
  text,
} from './columns.ts'

/** The columns of `payment_links`; the terms are explained at `PaymentLinkTerms`. */
export const paymentLinkColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  /** The end of its address. */
  token: text(),
  amount: amount(),
  currency: text<Currency>(),
  payment_ref: text(),
  description: text(),
  plan_id: nullable(id()),
  test: flag(),
  success_url: nullable(text()),
  error_url: nullable(text()),
  expires_at: nullable(moment()),
  uses: integer(),
  /** Number of started payments, and so the number of the last one. */
  begun: integer(),
  /** Time at which the merchant closed the link; null while it is open. */
  closed_at: nullable(moment()),
  created_at: moment(),
  updated_at: moment(),
}

export type PaymentLinkRow = RowOf<typeof paymentLinkColumns>
