import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { performance } from '../../domain/timers.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { clientAddress } from './client-address.ts'
import { type Exchange, exchangeOf, merchantOf } from './exchange.ts'
import { applyFault } from './faults.ts'

/**
 * Requires HTTP Basic authentication of a merchant.
 * @throws errors.unauthorized (138) without credentials, errors.authentication.failed (182),
 *   errors.account.locked (207)
 */
export function requireLogin(authenticator: Authenticator): RequestHandler {
  return authenticate(authenticator, async (request, exchange) => {
    const merchant = await basicLogin(request, exchange, authenticator)
    if (merchant) return merchant
    throw loginNeeded()
  })
}

/**
 * Like `requireLogin`, but a request without credentials may name its merchant by `merchant_id`;
 * then the use case must check its `hash` (specification: Browser integration; observed: 15.6).
 * @param needed error of a request that has neither
 * @throws errors.merchant.not_found (104) and the errors of `requireLogin`
 */
export function loginOrMerchantId(
  authenticator: Authenticator,
  needed = loginNeeded,
): RequestHandler {
  return authenticate(authenticator, async (request, exchange) => {
    const merchantId = text(exchange.parameters, 'merchant_id')
    const merchant = await basicLogin(request, exchange, authenticator)
    if (merchant) return merchant
    if (merchantId === undefined) throw needed()
    return merchantNamed(merchantId, authenticator)
  })
}

/**
 * Rejects parameters that name another merchant than the authenticated one; `merchant_id` is
 * optional. Runs after the parameters are read and decrypted, and after `requireLogin` or
 * `loginOrMerchantId`.
 * @throws errors.merchant.invalid (202)
 */
export const ownMerchantId: RequestHandler = (_request, response, next) => {
  const sent = text(exchangeOf(response).parameters, 'merchant_id')
  if (sent !== undefined && sent !== String(merchantOf(response).id))
    throw new GatewayError('errors.merchant.invalid', {
      explain:
        'merchant_id is not the id of the logged-in merchant. Send your own id, or leave merchant_id out.',
    })
  next()
}

/**
 * Authenticates the merchant of a request. Only a failure here asks the client to log in: a later
 * 401 about another object must not.
 */
function authenticate(
  authenticator: Authenticator,
  proof: (request: IncomingMessage, exchange: Exchange) => Promise<Merchant>,
): RequestHandler {
  return async (request, response, next) => {
    const exchange = exchangeOf(response)
    const began = performance.now()
    try {
      exchange.merchant = await proof(request, exchange)
      exchange.loggedIn = request.headers.authorization !== undefined
      exchange.times.login = performance.now() - began
    } catch (error) {
      if (error instanceof GatewayError && error.entry.http === 401 && !isCrossSite(request))
        response.setHeader('WWW-Authenticate', CHALLENGE)
      exchange.unproven = await merchantIn(request, authenticator).catch(() => undefined)
      throw error
    }
    await applyFault(response, exchange.merchant.id)
    next()
  }
}

const CHALLENGE = 'Basic realm="Payment gateway", charset="UTF-8"'

async function merchantNamed(merchantId: string, authenticator: Authenticator): Promise<Merchant> {
  const id = readId(merchantId)
  const merchant = id === undefined ? undefined : await authenticator.find(id)
  if (merchant) return merchant
  throw new GatewayError('errors.merchant.not_found', {
    explain: 'No merchant has this merchant_id.',
  })
}

async function basicLogin(
  request: IncomingMessage,
  exchange: Exchange,
  authenticator: Authenticator,
): Promise<Merchant | undefined> {
  const [header, ...more] = authorizationHeaders(request)
  if (header === undefined) return undefined
  if (isCrossSite(request))
    throw new GatewayError('errors.unauthorized', {
      explain:
        'A page of another site cannot log in. Call the API from your server, or send the hash of the order without a login.',
    })
  const credentials = more.length === 0 ? readBasic(header) : undefined
  const address = clientAddress(request)
  // A lock ends by the clock of its merchant.
  if (credentials)
    return authenticator.login(
      { ...credentials, address },
      nowOfName(exchange, credentials.username),
    )
  throw new GatewayError('errors.authentication.failed', {
    explain:
      'Send the Authorization header once, as "Basic " and base64 of "<merchant id>:<password>".',
  })
}

/** Finds the merchant of a login's user name, whether or not the login is valid. */
async function merchantIn(
  request: IncomingMessage,
  { find }: Authenticator,
): Promise<Merchant | undefined> {
  const [header = ''] = authorizationHeaders(request)
  const id = readId(readBasic(header)?.username ?? '')
  return id === undefined ? undefined : find(id)
}

function nowOfName({ now, nowOf }: Exchange, username: string): number {
  const id = readId(username)
  return id === undefined ? now : nowOf(id)
}

/**
 * Returns true for a browser's request from another site. It is rejected before the login is
 * checked: such a page could try passwords, and lock the account, from the developer's own browser.
 */
const isCrossSite = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site'

/** Returns all values: `request.headers` would only contain the first. */
export const authorizationHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  )

const loginNeeded = () =>
  new GatewayError('errors.unauthorized', {
    explain: 'This call needs HTTP Basic authentication with the merchant id and the API password.',
  })

/**
 * For forms that a payer's browser posts: requesting a login would show the payer a password
 * prompt.
 */
export const merchantIdNeeded = () =>
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
