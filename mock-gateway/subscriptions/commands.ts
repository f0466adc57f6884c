import type { JsonObject } from '../domain/json.ts'
import type { Currency } from '../domain/money/currencies.ts'
import type { PlanTerms } from '../domain/subscription/plan.ts'
import type { SubscriptionOrder } from '../domain/subscription/subscription.ts'

/** Changes a plan (observed: 6.7). */
export interface UpdatePlan {
  readonly id: number | undefined
  readonly status: 'active' | 'cancelled' | undefined
  /** Calculates the new terms from the current ones: omitted values stay. */
  readonly terms: (known: PlanTerms) => PlanTerms
}

/** Starts a subscription with a stored card (observed: 6.7). */
export interface CreateSubscription {
  readonly order: SubscriptionOrder
  readonly metadata: JsonObject | undefined
  /** Reads the payer, after the plan is found. @throws errors.currency.*, errors.customer_ref.invalid (165) */
  readonly readPayer: () => SubscriptionPayer
}

/** The payer as named in a request; undefined: not sent. */
export interface SubscriptionPayer {
  /** As sent. */
  readonly storedCardId: string | undefined
  readonly currency: Currency | undefined
  readonly test: boolean | undefined
  /** As sent. */
  readonly customerId: string | undefined
  readonly customerRef: string | undefined
}

/** Changes a subscription (observed: 6.7). */
export interface UpdateSubscription {
  readonly id: number | undefined
  /** @throws errors.status.invalid (148), errors.plan.invalid (1303), errors.request.bad_format (253) */
  readonly readChanges: () => {
    readonly status: 'active' | 'cancelled' | undefined
    readonly planId: number | undefined
    readonly quantity: number | undefined
    /** As sent: the currency decides whether it is an amount. */
    readonly debt: string | undefined
    /** As sent. */
    readonly storedCardId: string | undefined
  }
  /** Read after the other changes are accepted. @throws errors.metadata.invalid (2091) */
  readonly readMetadata: () => { readonly metadata: JsonObject | undefined }
}
