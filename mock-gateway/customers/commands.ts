import type { JsonObject } from '../domain/json.ts'

/** A merchant's data about a customer (observed: 6.6). Undefined: not sent. */
export interface CustomerFacts {
  /** The merchant's own id of the customer. */
  readonly ref: string | undefined
  readonly metadata: JsonObject | undefined
}

/** Changes a customer; new metadata is merged into the existing metadata. */
export interface UpdateCustomer extends CustomerFacts {
  readonly id: number | undefined
}

/** The customer named in a request; an impossible id becomes undefined. */
export type NamedCustomer = { readonly id: number | undefined } | { readonly ref: string }
