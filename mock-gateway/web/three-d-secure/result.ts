import { findEci } from '../../acquirer/three-d-secure/verdict.ts'
import type { Addresses } from '../../domain/addresses.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { refusalOfAuthentication } from '../../payments/authentication/end.ts'
import { createHref } from '../../serializers/transaction.ts'
import { findRow } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { Queries } from '../../storage/tables/schema.ts'

/**
 * Message of the window to the page that opened it (observed: 5); `nonce` and `error` are our
 * decision.
 */
export interface MpiMessage {
  readonly event: 'mpi'
  readonly success: boolean
  readonly mpi_ref?: string
  readonly eci?: string
  readonly provider_ref?: string
  readonly nonce?: string
  readonly error?: string
}

/**
 * Returns true if the bank has shown a challenge to the payer; a frictionless flow shows none,
 * however long it takes.
 */
export const isChallenged = ({ plan, opened_at }: AuthenticationRow): boolean =>
  plan.flow === 'challenge' && opened_at !== null

/**
 * Builds the message that the payer is being challenged. Only the library sends a nonce; an old
 * page would take every message for the result (observed: 5).
 */
export const createChallengeMessage = ({ nonce }: AuthenticationRow): string =>
  nonce === null ? '' : JSON.stringify({ event: 'mpi', status: 'pending', challenge: true, nonce })

export function createMessage(row: AuthenticationRow, merchant: Merchant): MpiMessage {
  const { result, nonce, ref, brand, provider_ref } = row
  const own = nonce === null ? {} : { nonce }
  const refusal = refusalOfAuthentication(row, { merchant })
  if (refusal || result === null)
    return { event: 'mpi', success: false, ...own, ...(refusal && { error: refusal.entry.name }) }
  return {
    event: 'mpi',
    success: true,
    mpi_ref: ref,
    eci: findEci(brand, result),
    provider_ref,
    ...own,
  }
}

/**
 * Returns the payer's address after the bank: the payment's result, or the page that reports to the
 * browser library. An authentication with a hash of the request comes from the library, which pays
 * the order afterwards.
 */
export async function createResultAddress(
  queries: Queries,
  row: AuthenticationRow,
  addresses: Addresses,
): Promise<string> {
  const { merchant_id, transaction_id, request_hash } = row
  const payment =
    request_hash === null
      ? await findRow(queries, 'transactions', merchant_id, transaction_id ?? undefined)
      : undefined
  return payment
    ? `${createHref(payment, addresses)}/result`
    : `${addresses.pay}/v1/mpi_js/result/${row.token}`
}
