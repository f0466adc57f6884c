import type { AuthenticationFacts } from '../acquirer/three-d-secure/facts.ts'
import type { CurrencyConverter, LogEvent, TransactionStatus } from '../contract/wire.ts'
import type { ErrorName } from '../domain/errors/errors.ts'
import type { CheckedHash } from '../domain/order/request-hash.ts'
import type { StatusEvent } from '../domain/order/states.ts'
import type { WalletType } from '../domain/order/wallets.ts'
import type { RuleAction } from '../domain/rules/rules.ts'

/** One thing that happened to a transaction, with the facts that its log shows (specification: log_events). */
export type PaymentEvent =
  /** `payment_link`: the id of the link that it was created through. */
  | { readonly event: 'created'; readonly process: boolean; readonly payment_link?: number }
  /** A payer's test payment, whose hash does not cover what is named: the merchant may not have meant it so. */
  | { readonly event: 'weak_hash'; readonly uncovered: CheckedHash['uncovered'] }
  /** The bank or a credit check was asked, or the payer was. */
  | {
      readonly event: (StatusEvent & 'charged') | 'credit_checked' | 'started' | (StatusEvent & 'challenged')
      readonly status: TransactionStatus
      readonly error?: ErrorName
      /** The payer sent it from the payment page or a form. */
      readonly form?: true
      readonly wallet_type?: WalletType
      readonly currency_converter?: CurrencyConverter
    }
  /** Rules of the merchant matched; the first that refuses decides. */
  | {
      readonly event: 'rules_matched'
      readonly rules: readonly { readonly name: string; readonly action: RuleAction }[]
    }
  /** A score from 0 to 100, refused from the limit on. */
  | { readonly event: 'fraud_checked'; readonly score: number; readonly limit: number; readonly refused: boolean }
  /** Nobody has paid while the payment page could be paid. */
  | { readonly event: 'expired'; readonly status: 'failed'; readonly error: ErrorName }
  /** Removed: by the payer, on the page of the transaction. */
  | { readonly event: 'card_stored' | 'card_removed'; readonly stored_card_id: number }
  /** 3-D Secure has a result, with what it found; the error says why the payment is refused. */
  | {
      readonly event: 'authenticated'
      readonly mpi_ref: string
      readonly three_d_secure: AuthenticationFacts
      readonly error?: ErrorName
    }
  /** The bank wants a payer asked whom nobody had asked. */
  | { readonly event: 'soft_declined' }
  /** The payer began anew, by the form or the page, while this payment stood at the bank. */
  | { readonly event: 'gave_way' }
  /** An answer of 3-D Secure that was none: somebody made it, or sent it again. */
  | { readonly event: 'authentication_refused'; readonly error: ErrorName; readonly reason: string }
  /** A card was to be stored, and only paid. */
  | { readonly event: 'not_stored'; readonly error: ErrorName }
  /** A plan was ordered, and what paid cannot be charged again. */
  | { readonly event: 'not_subscribed'; readonly plan_id: number }
  | { readonly event: 'updated'; readonly parameters: readonly string[] }
  /** `capture_sent`: the bank takes time for it. */
  | { readonly event: StatusEvent & ('captured' | 'capture_sent'); readonly amount: string }
  | { readonly event: StatusEvent & 'capture_failed'; readonly status: 'failed'; readonly error: ErrorName }
  | { readonly event: 'refunded'; readonly amount: string }
  /** The merchant's own page or address could not be rendered, and the gateway did without; or a browser did. */
  | {
      readonly event: 'template_failed'
      readonly what: 'page' | 'page_script' | 'page_form' | 'success_url' | 'error_url'
      readonly template_id: number | null
      readonly reason: string
    }

/** The kind of a log event where it is no `payment` (specification: log_events). */
export const EVENT_TYPES: Readonly<Partial<Record<PaymentEvent['event'], LogEvent['event_type']>>> = {
  rules_matched: 'rules',
  fraud_checked: 'fraud_check',
}
