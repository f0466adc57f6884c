import type { NamedCustomer } from '../customers/commands.ts'
import type { Currency } from '../domain/money/currencies.ts'
import type { Parsed } from '../domain/parsed.ts'
import type { TypedCard } from './payment-card.ts'

/** Stores a card without a payment (specification: Create stored card). */
export interface CreateStoredCard {
  readonly card: TypedCard
  readonly currency: Currency
  readonly test: boolean
  /** True for a card that pays for plans and subscriptions only. */
  readonly recurring: boolean
  /** The customer who gets the card; undefined creates a customer without a name. */
  readonly customer: Parsed<NamedCustomer | undefined>
}

/** Changes a stored card (observed: 6.5); undefined is not sent. */
export interface UpdateStoredCard {
  readonly id: number | undefined
  readonly changes: Parsed<{
    readonly status: 'active' | 'cancelled' | undefined
    readonly holder: string | undefined
    /** MMYY */
    readonly expiry: string | undefined
    readonly recurring: boolean | undefined
    readonly customer: NamedCustomer | undefined
  }>
}
