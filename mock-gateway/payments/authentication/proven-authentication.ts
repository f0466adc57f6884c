import { refusalBy } from '../../acquirer/three-d-secure/verdict.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { findAuthentication } from '../../storage/authentications.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { NewTransactionRow, TransactionRow } from '../../storage/tables/transactions.ts'
import type { Work } from '../../work/work.ts'
import type { SentAuthentication } from '../commands.ts'
import { factsOfRow } from './begin.ts'

/**
 * Milliseconds for which an authentication can pay its order, counted from the bank's approval
 * (decision 85).
 */
const GOOD_FOR = 90 * 60_000

/**
 * Compares the page's fields of an authentication with the stored record, because a client can send
 * anything (observed: 5).
 * @returns the authentication of this order, which allows its payment
 * @throws errors.mpi.disabled (1691), errors.mpi.invalid (1690), errors.provider_ref.processed (4),
 * errors.mpi.not_approved (169)
 */
export async function provenAuthentication(
  { queries, merchant, now }: Work,
  sent: SentAuthentication,
  order: NewTransactionRow | TransactionRow,
): Promise<AuthenticationRow> {
  const { three_d_secure: setting, three_d_secure_unavailable: unavailable } = merchant.settings
  if (setting === 'off')
    throw new GatewayError('errors.mpi.disabled', {
      explain: "The merchant's setting three_d_secure is off.",
    })
  const row =
    sent.ref === undefined ? undefined : await findAuthentication(queries, { ref: sent.ref })
  if (!row || row.request_hash === null || !isAuthenticationOf(row, order))
    throw invalid(
      'ref does not belong to an authentication of this order. Send the mpi_ref from the answer of {pay_url}/v1/mpi_js.',
    )
  if (row.transaction_id !== null && sent.providerRef === row.provider_ref)
    throw new GatewayError('errors.provider_ref.processed', {
      explain: 'This provider_ref was used for another payment. Authenticate the payer again.',
    })
  if (row.transaction_id !== null)
    throw invalid('This ref was used for another payment. Authenticate the payer again.')
  const { result } = row
  if (result === null || refusalBy(result, unavailable))
    throw new GatewayError('errors.mpi.not_approved', {
      explain:
        result === null ? 'The payer has not answered yet.' : 'The payer was not authenticated.',
    })
  if (now - row.updated_at > GOOD_FOR)
    throw invalid(
      'The payer was authenticated more than 90 minutes ago. Authenticate the payer again.',
    )
  const { eci } = factsOfRow(row, result)
  if (isDifferent(sent.eci, eci) || isDifferent(sent.providerRef, row.provider_ref))
    throw invalid('eci and provider_ref must be the values that were returned with the ref.')
  return row
}

const invalid = (explain: string) => new GatewayError('errors.mpi.invalid', { explain })

const isDifferent = (sent: string | undefined, own: string) => sent !== undefined && sent !== own

const OF_AN_ORDER = ['merchant_id', 'payment_ref', 'amount_text', 'currency', 'test'] as const

const isAuthenticationOf = (
  row: AuthenticationRow,
  order: NewTransactionRow | TransactionRow,
): boolean => OF_AN_ORDER.every((name) => row[name] === order[name])
