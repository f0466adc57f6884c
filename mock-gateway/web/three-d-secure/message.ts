import { eciOf } from '../../acquirer/three-d-secure/verdict.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { refusalOfAuthentication } from '../../payments/authentication/end.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'

/**
 * The library's id of an authentication: 32 hexadecimal digits; anything else counts as none (our
 * decision).
 */
export const readNonce = (sent: string | undefined): string | undefined =>
  sent !== undefined && /^[0-9a-f]{32}$/.test(sent) ? sent : undefined

/**
 * What the window tells the page that opened it (observed: 5); `nonce` and `error` are our
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

export function messageOf(row: AuthenticationRow, merchant: Merchant): MpiMessage {
  const { result, nonce, ref, brand, provider_ref } = row
  const own = nonce === null ? {} : { nonce }
  const refusal = refusalOfAuthentication(row, { merchant })
  if (refusal || result === null)
    return { event: 'mpi', success: false, ...own, ...(refusal && { error: refusal.entry.name }) }
  return {
    event: 'mpi',
    success: true,
    mpi_ref: ref,
    eci: eciOf(brand, result),
    provider_ref,
    ...own,
  }
}
