import type { Response } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { findOne } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { getExchange } from '../http/exchange.ts'

/** An authentication with its owner. */
export interface BankVisit {
  readonly row: AuthenticationRow
  readonly merchant: Merchant
}

/**
 * Finds an authentication and its owner. The key comes from an address that grants access; undefined
 * if the address is malformed.
 */
export async function findVisit(
  response: Response,
  authenticator: Authenticator,
  key: Partial<AuthenticationRow> | undefined,
): Promise<BankVisit | undefined> {
  const { db } = getExchange(response).service.database
  const row = key && (await findOne(db, 'authentications', key))
  const merchant = row && (await authenticator.find(row.merchant_id))
  return row && merchant && { row, merchant }
}

/** Returns the key of the authentication at an address. */
export const readTokenKey = (token: unknown): { readonly token: string } | undefined =>
  typeof token === 'string' && isHrefToken(token) ? { token } : undefined

/** Creates the error of an unknown address. */
export const unknownAuthentication = () =>
  new GatewayError('errors.not_found', { explain: 'No authentication has this address.' })

/**
 * Reads the library's id of an authentication: 32 hexadecimal digits; other values are ignored (our
 * decision).
 */
export const readNonce = (sent: string | undefined): string | undefined =>
  sent !== undefined && /^[0-9a-f]{32}$/.test(sent) ? sent : undefined
