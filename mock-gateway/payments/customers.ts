import { GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { mergeMetadata } from '../domain/metadata.ts'
import { object, type Parameters, text } from '../domain/parameters.ts'
import { readCustomerRef, readId } from '../domain/references.ts'
import {
  type CustomerRow,
  deleteCustomer,
  findOrCreateCustomer,
  insertCustomer,
  updateCustomer,
} from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findRow, holdRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import type { Payments } from './payments.ts'

/** Creates a customer, with nothing at all if need be (observed: 6.6). @throws errors.customer_ref.taken (171) */
export async function createCustomer(payments: Payments, merchant: Merchant, parameters: Parameters) {
  const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
  const row = {
    ...anonymousCustomer(merchant.id, payments.ambient.now()),
    ref: readCustomerRef(text(parameters, 'ref') ?? text(parameters, 'customer_ref')) ?? null,
    metadata: metadata ?? null,
  }
  return refusingTakenRef(payments.database.write((queries) => insertCustomer(queries, row)))
}

/** Changes ref and metadata; new metadata is merged into the old. @throws errors.customer.not_found (142), 171 */
export async function updateCustomerOf(
  payments: Payments,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<CustomerRow> {
  const ref = readCustomerRef(text(parameters, 'ref') ?? text(parameters, 'customer_ref'))
  const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
  return refusingTakenRef(
    payments.database.write(async (queries) => {
      const read = await holdCustomer(payments, queries, merchant, id)
      const merged = metadata && mergeMetadata(read.metadata, metadata)
      return updateCustomer(queries, read.id, {
        updated_at: read.updated_at,
        ...(ref === undefined ? {} : { ref }),
        ...(merged ? { metadata: merged } : {}),
      })
    }),
  )
}

/** Deletes a customer; transactions and stored cards stay (our decision). @throws errors.customer.not_found (142) */
export function deleteCustomerOf(payments: Payments, merchant: Merchant, id: number | undefined): Promise<CustomerRow> {
  return payments.database.write(async (queries) => {
    const read = await holdCustomer(payments, queries, merchant, id)
    await deleteCustomer(queries, read.id)
    return read
  })
}

/** @throws errors.customer.not_found (142) */
export async function needCustomer(queries: Queries, merchant: Merchant, id: number | undefined): Promise<CustomerRow> {
  const row = await findRow(queries, 'customers', merchant.id, id)
  if (row) return row
  throw customerNotFound()
}

/** As `needCustomer`, for a customer that is about to change. */
async function holdCustomer({ ambient }: Payments, queries: Queries, merchant: Merchant, id: number | undefined) {
  const row = await holdRow(queries, 'customers', merchant.id, id, ambient.now())
  if (row) return row
  throw customerNotFound()
}

const customerNotFound = () =>
  new GatewayError('errors.customer.not_found', { explain: 'The merchant has no customer with this id' })

/**
 * The customer that a request names by `customer_id` or `customer_ref`; undefined when it names none
 * (specification: Create stored card).
 * @throws errors.customer.not_found (142) for an unknown customer_id, errors.customer_ref.invalid (165)
 */
export async function namedCustomer(
  queries: Queries,
  merchant: Merchant,
  parameters: Parameters,
  now: number,
): Promise<CustomerRow | undefined> {
  const customerId = text(parameters, 'customer_id')
  if (customerId !== undefined) return needCustomer(queries, merchant, readId(customerId))
  const ref = readCustomerRef(text(parameters, 'customer_ref'))
  return ref === undefined ? undefined : findOrCreateCustomer(queries, merchant.id, ref, now)
}

/** A customer of whom nothing is known: a card stored for nobody in particular still belongs to one (observed: 6.5). */
export const anonymousCustomer = (merchantId: number, now: number) => ({
  merchant_id: merchantId,
  ref: null,
  metadata: null,
  created_at: now,
  updated_at: now,
})

async function refusingTakenRef<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new GatewayError('errors.customer_ref.taken', { explain: 'Another customer has this ref', cause: error })
  }
}
