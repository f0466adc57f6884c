import type {
  Customer,
  Plan,
  Reference,
  StoredCard,
  Subscription,
  Transaction,
} from '../contract/wire.ts'

/**
 * How related objects are shown: by id, or in full where `extend` named them (specification: What
 * the service does).
 */
export interface References {
  customer(id: number | null): Reference | Customer | null
  stored_card(id: number | null): Reference | StoredCard | null
  plan(id: number): Reference | Plan
  subscription(id: number | null): Reference | Subscription | null
  transaction(id: number): Reference | Transaction
}

const byId = (id: number | null) => (id === null ? null : { id })

/** Nothing is extended. */
export const BY_ID: References = {
  customer: byId,
  stored_card: byId,
  plan: (id) => ({ id }),
  subscription: byId,
  transaction: (id) => ({ id }),
}
