import type {
  Customer,
  Plan,
  Reference,
  StoredCard,
  Subscription,
  Transaction,
} from '../contract/wire.ts'

/**
 * Serializes related objects: as an id, or in full if `extend` names them (specification: What the
 * service does).
 */
export interface References {
  customer(id: number | null): Reference | Customer | null
  stored_card(id: number | null): Reference | StoredCard | null
  plan(id: number): Reference | Plan
  subscription(id: number | null): Reference | Subscription | null
  transaction(id: number): Reference | Transaction
}

const byId = (id: number | null) => (id === null ? null : { id })

/** Serializes every related object as an id. */
export const BY_ID: References = {
  customer: byId,
  stored_card: byId,
  plan: (id) => ({ id }),
  subscription: byId,
  transaction: (id) => ({ id }),
}
