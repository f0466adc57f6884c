import type { Insertable, Selectable } from 'kysely'
import type { CardType } from '../../domain/card/card-types.ts'
import type {
  AuthenticationInstructions,
  AuthenticationPlan,
  FinalAuthenticationResult,
  ServerIds,
} from '../../domain/card/three-d-secure.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import type { BankDecision } from '../../domain/order/decision.ts'
import { FLAG, type Id, JSON_TEXT, tableCodec } from './codec.ts'

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
export interface AuthenticationTable {
  id: Id
  merchant_id: number
  /** Payment that it is for; null for an order, until the order is paid with it. */
  transaction_id: number | null
  /** The gateway's id, as the transaction shows it: 32 hexadecimal digits. */
  ref: string
  /** Secret part of the addresses of its pages. */
  token: string
  /** Secret that its answers are signed with. */
  key: string
  /** The browser library's id of it. */
  nonce: string | null
  /** Origin of the page that requested it; null if the browser did not send one. */
  origin: string | null
  /** Verified hash of the order; null for a payment. */
  request_hash: string | null
  /** The merchant's choice of language, as sent. */
  locale: string | null
  plan: AuthenticationPlan
  ids: ServerIds
  brand: CardType
  /** First six and last four digits. */
  card_number: string
  payment_ref: string
  amount_text: string
  currency: Currency
  test: boolean
  /** The bank's id of the payment. */
  provider_ref: string
  /**
   * The bank's answer to the payment, which applies after the authentication. Contains no card
   * data.
   */
  word: BankDecision | null
  /** True if the card pays but cannot be stored. */
  storing_fails: boolean
  /** True when the payer sent the payment from the payment page or a form. */
  form: boolean
  status: 'open' | 'done'
  /** Result; null while the authentication is open. */
  result: FinalAuthenticationResult | null
  /** The issuer's answer at `answer_at`; null until it is known. */
  answer: AuthenticationPlan['result'] | null
  answer_at: number | null
  /** Time at which the payer reached the bank. */
  opened_at: number | null
  /** The open page of the bank, by the name that it chose for itself; null if no page is open. */
  page: string | null
  /** The payer's actions at the bank, in order; never typed text. */
  steps: readonly BankStep[]
  /** Number of wrong answers. */
  wrong_codes: number
  new_codes: number
  /** Number of times that the payer requested more time. */
  extensions: number
  /** Number of rejected answers, up to a limit. */
  refused_answers: number
  expires_at: number
  created_at: number
  updated_at: number
}

export type AuthenticationRow = Selectable<AuthenticationTable>
export type NewAuthenticationRow = Omit<Insertable<AuthenticationTable>, 'id'>

export const authenticationCodec = tableCodec<AuthenticationTable>({
  plan: JSON_TEXT,
  ids: JSON_TEXT,
  steps: JSON_TEXT,
  word: JSON_TEXT,
  test: FLAG,
  storing_fails: FLAG,
  form: FLAG,
})

export interface NextAuthenticationTable {
  id: Id
  merchant_id: number
  plan: AuthenticationInstructions
}

export const nextAuthenticationCodec = tableCodec<NextAuthenticationTable>({ plan: JSON_TEXT })
