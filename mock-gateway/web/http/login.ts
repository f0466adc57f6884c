import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Response } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { performance } from '../../domain/timers.ts'
import { splitIntoWords } from '../../domain/webhook/addresses.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { type Exchange, getExchange } from './exchange.ts'
import { applyFault } from './faults.ts'

/** Merchant that a request without credentials names. */
export interface NamedMerchant {
  /** The parameter `merchant_id`. */
  readonly merchantId: string | undefined
  /** Creates the error of a request that names no merchant either. */
  readonly createMissing: () => GatewayError
}

/**
 * Authenticates the merchant of a request by HTTP Basic. If `named` is given, a request without
 * credentials may name its merchant instead; then the use case must check its `hash` (specification:
 * Browser integration; observed: 15.6). Only a failure here asks the client to log in: a later 401
 * about another object must not.
 * @throws errors.unauthorized (138) without credentials, errors.authentication.failed (182),
 *   errors.account.locked (207), errors.merchant.not_found (104)
 */
export async function authenticate(
  authenticator: Authenticator,
  request: IncomingMessage,
  response: Response,
  named: NamedMerchant = { merchantId: undefined, createMissing: createLoginError },
): Promise<void> {
  const exchange = getExchange(response)
  const began = performance.now()
  try {
    exchange.merchant =
      (await logInByBasic(request, exchange, authenticator)) ??
      (await findNamed(named, authenticator))
    exchange.loggedIn = request.headers.authorization !== undefined
    exchange.times.login = performance.now() - began
  } catch (error) {
    if (error instanceof GatewayError && error.entry.http === 401 && !isCrossSite(request))
      response.setHeader('WWW-Authenticate', CHALLENGE)
    // A database that does not answer is not asked again: the client would wait twice as long.
    if (error instanceof GatewayError)
      exchange.unproven = await findMerchantIn(request, authenticator).catch(() => undefined)
    throw error
  }
  await applyFault(response, exchange.merchant.id)
}

const CHALLENGE = 'Basic realm="Payment gateway", charset="UTF-8"'

async function findNamed(
  { merchantId, createMissing }: NamedMerchant,
  authenticator: Authenticator,
): Promise<Merchant> {
  if (merchantId === undefined) throw createMissing()
  const id = readId(merchantId)
  const merchant = id === undefined ? undefined : await authenticator.find(id)
  if (merchant) return merchant
  throw new GatewayError('errors.merchant.not_found', {
    explain: 'No merchant has this merchant_id.',
  })
}

async function logInByBasic(
  request: IncomingMessage,
  exchange: Exchange,
  authenticator: Authenticator,
): Promise<Merchant | undefined> {
  const [header, ...more] = listAuthorizationHeaders(request)
  if (header === undefined) return undefined
  if (isCrossSite(request))
    throw new GatewayError('errors.unauthorized', {
      explain:
        'A page of another site cannot log in. Call the API from your server, or send the hash of the order without a login.',
    })
  const credentials = more.length === 0 ? readBasic(header) : undefined
  const address = findClientAddress(request)
  // A lock ends by the clock of its merchant.
  if (credentials)
    return authenticator.login(
      { ...credentials, address },
      getNowOfName(exchange, credentials.username),
    )
  throw new GatewayError('errors.authentication.failed', {
    explain:
      'Send the Authorization header once, as "Basic " and base64 of "<merchant id>:<password>".',
  })
}

/** Finds the merchant of a login's user name, whether or not the login is valid. */
async function findMerchantIn(
  request: IncomingMessage,
  { find }: Authenticator,
): Promise<Merchant | undefined> {
  const [header = ''] = listAuthorizationHeaders(request)
  const id = readId(readBasic(header)?.username ?? '')
  return id === undefined ? undefined : find(id)
}

function getNowOfName({ now, getNow }: Exchange, username: string): number {
  const id = readId(username)
  return id === undefined ? now : getNow(id)
}

/**
 * Returns true for a browser's request from another site. It is rejected before the login is
 * checked: such a page could try passwords, and lock the account, from the developer's own browser.
 */
const isCrossSite = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site'

/** Returns all values: `request.headers` would only contain the first. */
export const listAuthorizationHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  )

export const createLoginError = () =>
  new GatewayError('errors.unauthorized', {
    explain: 'This call needs HTTP Basic authentication with the merchant id and the API password.',
  })

/**
 * For forms that a payer's browser posts: requesting a login would show the payer a password
 * prompt.
 */
export const createMerchantIdError = () =>
  new GatewayError('errors.merchant_id.missing', {
    explain: 'merchant_id is missing. Send the id of the merchant.',
  })

/**
 * Splits at the first colon: a password may contain more of them, but no NUL, which scrypt would
 * ignore (RFC 7617).
 */
export function readBasic(header: string): { username: string; password: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header) ?? []
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined
  const credentials = bytes.toString('utf8')
  const colon = credentials.indexOf(':')
  return colon < 0
    ? undefined
    : { username: credentials.slice(0, colon), password: credentials.slice(colon + 1) }
}

/**
 * Returns the client's address for rate limits: an IPv4 address, or the first 64 bits of an IPv6
 * address, because clients choose the rest freely. Empty if the connection was closed.
 */
export function findClientAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  const sent = socket.remoteAddress ?? ''
  if (!sent.includes(':')) return sent
  const [address = ''] = sent.split('%')
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const words = splitIntoWords(plain).slice(0, 4)
  return `${words.map((word) => word.toString(16)).join(':')}::/64`
}
