import type { CustomerFacts, NamedCustomer, UpdateCustomer } from '../customers/customers.ts'
import { readCustomerRef, readId } from '../domain/identifiers.ts'
import { readMetadata } from './order-fields.ts'
import { type CallParameters, type Parameters, pick, text } from './parameters/parameters.ts'

/** Parameters of a new or changed customer (observed: 6.6). */
export const CUSTOMER_FIELDS = ['ref', 'customer_ref', 'metadata'] as const

/** @throws errors.metadata.invalid (2091), errors.customer_ref.invalid (165) */
export function readCreateCustomer(parameters: Parameters): CustomerFacts {
  const sent = pick(parameters, CUSTOMER_FIELDS)
  const metadata = readMetadata(sent)
  return { metadata, ref: readCustomerRef(text(sent, 'ref') ?? text(sent, 'customer_ref')) }
}

/** @throws the errors of `readCreateCustomer` */
export const readUpdateCustomer = (
  id: number | undefined,
  parameters: Parameters,
): UpdateCustomer => ({
  id,
  ...readCreateCustomer(parameters),
})

/** Parameters that name a customer (specification: Create stored card). */
export const NAMED_CUSTOMER_FIELDS = ['customer_id', 'customer_ref'] as const

/** Returns undefined if no customer is named. @throws errors.customer_ref.invalid (165) */
export function readNamedCustomer(
  sent: CallParameters<(typeof NAMED_CUSTOMER_FIELDS)[number]>,
): NamedCustomer | undefined {
  const id = text(sent, 'customer_id')
  if (id !== undefined) return { id: readId(id) }
  const ref = readCustomerRef(text(sent, 'customer_ref'))
  return ref === undefined ? undefined : { ref }
}
