import type { Response } from 'express'
import { findEci } from '../../acquirer/three-d-secure/verdict.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import { asLocale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { refusalOfAuthentication } from '../../payments/authentication/end.ts'
import { createHref } from '../../serializers/transaction.ts'
import { findOne, findRow } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { getExchange } from '../http/exchange.ts'

export interface BankVisit {
  readonly response: Response
  readonly row: AuthenticationRow
  readonly merchant: Merchant
}

/**
 * Finds an authentication by the key in an address, which grants access to it.
 * @param key undefined if the address is malformed
 */
export async function findVisit(
  response: Response,
  authenticator: Authenticator,
  key: Partial<AuthenticationRow> | undefined,
): Promise<BankVisit | undefined> {
  const { db } = getExchange(response).service.database
  const row = key && (await findOne(db, 'authentications', key))
  const merchant = row && (await authenticator.find(row.merchant_id))
  return row && merchant && { response, row, merchant }
}

/** Returns the key of the authentication at an address. */
export const readTokenKey = (token: unknown): { readonly token: string } | undefined =>
  typeof token === 'string' && isHrefToken(token) ? { token } : undefined

export const unknownAuthentication = () =>
  new GatewayError('errors.not_found', { explain: 'No authentication has this address.' })

/**
 * Reads the library's id of an authentication: 32 hexadecimal digits; other values are ignored (our
 * decision).
 */
export const readNonce = (sent: string | undefined): string | undefined =>
  sent !== undefined && /^[0-9a-f]{32}$/.test(sent) ? sent : undefined

/** Adds the language that the payer has chosen to an address. */
export const withChosenLanguage = (response: Response, address: string): string =>
  redirectUrl(address, { lang: asLocale(getExchange(response).parameters.lang) })

export const createBankAddress = (response: Response, { token }: AuthenticationRow): string =>
  `${getExchange(response).service.addresses.pay}/v1/acs/${token}`

/**
 * Returns the payer's address after the bank: the payment's result, or the page that reports to the
 * browser library. An authentication with a hash of the request comes from the library, which pays
 * the order afterwards.
 */
export async function createResultAddress(
  response: Response,
  { merchant_id, transaction_id, request_hash, token }: AuthenticationRow,
): Promise<string> {
  const { addresses, database } = getExchange(response).service
  const payment =
    request_hash === null
      ? await findRow(database.db, 'transactions', merchant_id, transaction_id ?? undefined)
      : undefined
  return payment
    ? `${createHref(payment, addresses)}/result`
    : `${addresses.pay}/v1/mpi_js/result/${token}`
}

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
  readonly nonce?: string | undefined
  readonly error?: string | undefined
}

/**
 * Builds the message that the payer is being challenged. Only the library sends a nonce; an old
 * page would take every message for the result (observed: 5).
 */
export const createChallengeMessage = ({ nonce }: AuthenticationRow): string =>
  nonce === null ? '' : JSON.stringify({ event: 'mpi', status: 'pending', challenge: true, nonce })

export function createMessage(row: AuthenticationRow, merchant: Merchant): MpiMessage {
  const { result, ref, brand, provider_ref } = row
  const nonce = row.nonce ?? undefined
  const refusal = refusalOfAuthentication(row, { merchant })
  if (refusal || result === null)
    return { event: 'mpi', success: false, nonce, error: refusal?.entry.name }
  const eci = findEci(brand, result)
  return { event: 'mpi', success: true, mpi_ref: ref, eci, provider_ref, nonce }
}
