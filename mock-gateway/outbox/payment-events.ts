import type { AuthenticationFacts } from '../acquirer/three-d-secure/verdict.ts'
import type { LogEvent, TransactionStatus } from '../contract/wire.ts'
import type { ErrorName } from '../domain/errors/errors.ts'
import type { VerifiedHash } from '../domain/order/request-hash.ts'
import type { StatusEvent } from '../domain/order/states.ts'
import type { RuleAction } from '../domain/rules/rules.ts'
import type { LOGGED_COLUMNS, TransactionRow } from '../storage/tables/transactions.ts'

/** Columns of a charge that its event repeats if they have a value. */
export type LoggedColumns = Partial<Pick<TransactionRow, (typeof LOGGED_COLUMNS)[number]>>

/** Event of a transaction, with the facts that its log shows (specification: log_events). */
export type PaymentEvent =
  /** `payment_link` is the id of the link through which it was created. */
  | { readonly event: 'created'; readonly process: boolean; readonly payment_link?: number }
  /** The hash of a payer's test payment does not cover these fields, perhaps by mistake. */
  | { readonly event: 'weak_hash'; readonly uncovered: VerifiedHash['uncovered'] }
  /** The gateway asked the bank, a credit check or the payer. */
  | ({
      readonly event:
        | (StatusEvent & 'charged')
        | 'credit_checked'
        | 'started'
        | (StatusEvent & 'challenged')
      readonly status: TransactionStatus
      readonly error?: ErrorName
      /** True if the payer sent it from the payment page or a form. */
      readonly form?: true
    } & LoggedColumns)
  /** Rules of the merchant matched; the first rule that rejects decides. */
  | {
      readonly event: 'rules_matched'
      readonly rules: readonly { readonly name: string; readonly action: RuleAction }[]
    }
  /** The fraud check gave a score from 0 to 100; it rejects from the limit on. */
  | {
      readonly event: 'fraud_checked'
      readonly score: number
      readonly limit: number
      readonly refused: boolean
    }
  /** The time to pay on the payment page is over. */
  | { readonly event: 'expired'; readonly status: 'failed'; readonly error: ErrorName }
  /** A card was stored, or the payer removed it on the payment page. */
  | { readonly event: 'card_stored' | 'card_removed'; readonly stored_card_id: number }
  /** 3-D Secure has a result; `error` is the reason of a rejected payment. */
  | {
      readonly event: 'authenticated'
      readonly mpi_ref: string
      readonly three_d_secure: AuthenticationFacts
      readonly error?: ErrorName
    }
  /** The bank demands 3-D Secure after it was asked without. */
  | { readonly event: 'soft_declined' }
  /** The payer started again, by form or page, while this payment was at the bank. */
  | { readonly event: 'gave_way' }
  /** An answer of 3-D Secure was forged or sent again. */
  | { readonly event: 'authentication_refused'; readonly error: ErrorName; readonly reason: string }
  /** The card paid but could not be stored. */
  | { readonly event: 'not_stored'; readonly error: ErrorName }
  /** A plan was ordered, but the payment method cannot be charged again. */
  | { readonly event: 'not_subscribed'; readonly plan_id: number }
  | { readonly event: 'updated'; readonly parameters: readonly string[] }
  /** `capture_sent`: the bank has not answered yet. */
  | { readonly event: StatusEvent & ('captured' | 'capture_sent'); readonly amount: string }
  | {
      readonly event: StatusEvent & 'capture_failed'
      readonly status: 'failed'
      readonly error: ErrorName
    }
  | { readonly event: 'refunded'; readonly amount: string }
  /** The merchant's own page or address could not be rendered by the gateway, or by the browser. */
  | {
      readonly event: 'template_failed'
      readonly what: 'page' | 'page_script' | 'page_form' | 'success_url' | 'error_url'
      readonly template_id: number | null
      readonly reason: string
    }

/** Kinds of log events other than `payment` (specification: log_events). */
export const EVENT_TYPES: Readonly<Partial<Record<PaymentEvent['event'], LogEvent['event_type']>>> =
  {
    rules_matched: 'rules',
    fraud_checked: 'fraud_check',
  }
