import type { CardType } from '../../domain/card/card-types.ts'
import type {
  AuthenticationInstructions,
  AuthenticationPlan,
  FinalAuthenticationResult,
  ServerIds,
} from '../../domain/card/three-d-secure.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import type { BankDecision } from '../../domain/order/decision.ts'
import {
  flag,
  integer,
  json,
  key,
  moment,
  type NewRowOf,
  nullable,
  type RowOf,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** An action of the payer at the bank. */
export interface BankStep {
  /** Epoch milliseconds, by the merchant's clock. */
  readonly at: number
  /** The name of an answer or of an action. */
  readonly did: string
  /** Result of an answer: right, wrong, N, or the next step of the challenge. */
  readonly gives?: string
}

/**
 * A 3-D Secure authentication of a payer, for a payment that waits for it or for an order that the
 * library will pay.
 */
export const authenticationColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  /** Payment that it is for; null for an order, until the order is paid with it. */
  transaction_id: nullable(reference('transactions')),
  /** The gateway's id, as the transaction shows it: 32 hexadecimal digits. */
  ref: text(),
  /** Secret part of the addresses of its pages. */
  token: text(),
  /** Secret that its answers are signed with. */
  key: text(),
  /** The browser library's id of it. */
  nonce: nullable(text()),
  /** Origin of the page that requested it; null if the browser did not send one. */
  origin: nullable(text()),
  /** Verified hash of the order; null for a payment. */
  request_hash: nullable(text()),
  /** The merchant's choice of language, as sent. */
  locale: nullable(text()),
  plan: json<AuthenticationPlan>(),
  ids: json<ServerIds>(),
  brand: text<CardType>(),
  /** First six and last four digits. */
  card_number: text(),
  payment_ref: text(),
  amount_text: text(),
  currency: text<Currency>(),
  test: flag(),
  /** The bank's id of the payment. */
  provider_ref: text(),
  /**
   * The bank's answer to the payment, which applies after the authentication. Contains no card
   * data.
   */
  word: nullable(json<BankDecision>()),
  /** True if the card pays but cannot be stored. */
  storing_fails: flag(),
  /** True when the payer sent the payment from the payment page or a form. */
  form: flag(),
  status: text<'open' | 'done'>(),
  /** Result; null while the authentication is open. */
  result: nullable(text<FinalAuthenticationResult>()),
  /** The issuer's answer at `answer_at`; null until it is known. */
  answer: nullable(text<AuthenticationPlan['result']>()),
  answer_at: nullable(moment()),
  /** Time at which the payer reached the bank. */
  opened_at: nullable(moment()),
  /** The open page of the bank, by the name that it chose for itself; null if no page is open. */
  page: nullable(text()),
  /** The payer's actions at the bank, in order; never typed text. */
  steps: json<readonly BankStep[]>(),
  /** Number of wrong answers. */
  wrong_codes: integer(),
  new_codes: integer(),
  /** Number of times that the payer requested more time. */
  extensions: integer(),
  /** Number of rejected answers, up to a limit. */
  refused_answers: integer(),
  expires_at: moment(),
  created_at: moment(),
  updated_at: moment(),
}

export type AuthenticationTable = TableOf<typeof authenticationColumns>

export type AuthenticationRow = RowOf<typeof authenticationColumns>
export type NewAuthenticationRow = NewRowOf<typeof authenticationColumns>

export const nextAuthenticationColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  plan: json<AuthenticationInstructions>(),
}
