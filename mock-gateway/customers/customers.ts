import { GatewayError } from '../domain/errors/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import { mergeMetadata } from '../domain/order/metadata.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { deleteRows, findRow, holdRow, insertRow, updateRow } from '../storage/rows.ts'
import type { CustomerRow } from '../storage/tables/customers.ts'
import type { OpenWork, Work } from '../work/work.ts'

/**
 * Creates a customer, with nothing at all if need be (observed: 6.6). @throws
 * errors.customer_ref.taken (171)
 */
export const createCustomer = (
  work: OpenWork,
  { ref, metadata }: CustomerFacts,
): Promise<CustomerRow> =>
  rejectTakenRef(
    work.write(({ queries, merchant, now }) =>
      insertRow(queries, 'customers', {
        ...createAnonymousCustomer(merchant.id, now),
        ref: ref ?? null,
        metadata: metadata ?? null,
      }),
    ),
  )

/**
 * Changes ref and metadata; new metadata is merged into the old. @throws errors.customer.not_found
 * (142), 171
 */
export const changeCustomer = (
  work: OpenWork,
  { id, ref, metadata }: UpdateCustomer,
): Promise<CustomerRow> =>
  rejectTakenRef(
    work.write(async (steps) => {
      const customer = await holdCustomer(steps, id)
      return updateRow(steps.queries, 'customers', customer.id, {
        updated_at: customer.updated_at,
        ...(ref === undefined ? {} : { ref }),
        ...(metadata === undefined ? {} : { metadata: mergeMetadata(customer.metadata, metadata) }),
      })
    }),
  )

/**
 * Deletes a customer; transactions and stored cards stay (our decision). @throws
 * errors.customer.not_found (142)
 */
export const removeCustomer = (work: OpenWork, id: number | undefined): Promise<CustomerRow> =>
  work.write(async (steps) => {
    const customer = await holdCustomer(steps, id)
    await deleteRows(steps.queries, 'customers', { id: customer.id })
    return customer
  })

/** @throws errors.customer.not_found (142) */
export async function requireCustomer(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<CustomerRow> {
  const row = await findRow(queries, 'customers', merchant.id, id)
  if (row) return row
  throw createNotFoundError()
}

/** Finds a customer like `requireCustomer`, and locks it for a change. */
async function holdCustomer(
  { queries, merchant, now }: Work,
  id: number | undefined,
): Promise<CustomerRow> {
  const row = await holdRow(queries, 'customers', merchant.id, id, now)
  if (row) return row
  throw createNotFoundError()
}

const createNotFoundError = () =>
  new GatewayError('errors.customer.not_found', {
    explain: 'The merchant has no customer with this id. GET /v1/customers lists its customers.',
  })

/**
 * The customer that a request names, by an id that must be there or by a ref that may be new
 * (specification: Create stored card); undefined when it names none.
 * @throws errors.customer.not_found (142)
 */
export async function findNamedCustomer(
  work: Work,
  named: NamedCustomer | undefined,
): Promise<CustomerRow | undefined> {
  if (named === undefined) return undefined
  if ('id' in named) return requireCustomer(work, named.id)
  return findOrCreateCustomer(work.queries, work.merchant.id, named.ref, work.now)
}

/**
 * Creates a customer without a name, because every stored card belongs to a customer (observed:
 * 6.5).
 */
export const createAnonymousCustomer = (merchantId: number, now: number) => ({
  merchant_id: merchantId,
  ref: null,
  metadata: null,
  created_at: now,
  updated_at: now,
})

async function rejectTakenRef<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new GatewayError('errors.customer_ref.taken', {
      explain: 'Another customer has this ref. Send another ref, or update that customer.',
      cause: error,
    })
  }
}

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
