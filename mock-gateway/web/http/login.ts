import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { clientAddress } from './client-address.ts'
import { type Exchange, exchangeOf, merchantOf } from './exchange.ts'
import { applyFault } from './faults.ts'

/**
 * Lets only merchants through that prove themselves by HTTP Basic authentication.
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
 * As `requireLogin`, but a request without credentials may name its merchant by `merchant_id`; its
 * `hash` must then prove it, which the use case checks (specification: Browser integration;
 * observed: 15.6).
 * @param needed thrown when a request has neither
 * @throws errors.merchant.not_found (104) and what `requireLogin` throws
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
 * Refuses parameters that name another merchant than the one who is authenticated; `merchant_id`
 * may be left out. Stands where the parameters are read and decrypted, behind `requireLogin` or
 * `loginOrMerchantId`.
 * @throws errors.merchant.invalid (202)
 */
export const ownMerchantId: RequestHandler = (_request, response, next) => {
  const sent = text(exchangeOf(response).parameters, 'merchant_id')
  if (sent !== undefined && sent !== String(merchantOf(response).id))
    throw new GatewayError('errors.merchant.invalid', {
      explain:
        'merchant_id is not the id of the logged-in merchant; send your own id, or leave merchant_id out',
    })
  next()
}

/**
 * Notes the merchant whose request it is. Only when that fails the client is asked to log in: a 401
 * of later on, about something that is not the merchant's, must not ask who has logged in already.
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
    explain: 'No merchant has this merchant_id',
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
        'A page of another site cannot log in; call the API from your server, or send the hash of the order without a login',
    })
  const credentials = more.length === 0 ? readBasic(header) : undefined
  const address = clientAddress(request)
  // A lock ends on the clock of the merchant that it locks.
  if (credentials)
    return authenticator.login(
      { ...credentials, address },
      nowOfName(exchange, credentials.username),
    )
  throw new GatewayError('errors.authentication.failed', {
    explain:
      'The Authorization header must be "Basic " and base64 of "<merchant id>:<password>", once',
  })
}

/** The merchant whom the user name of a login names, right or wrong. */
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
 * True for what a browser sends for a page of another site. Refused before it is looked at: such a
 * page could try passwords, and lock the account, from inside the developer's own browser.
 */
const isCrossSite = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site'

/** Every one that was sent: `request.headers` would show the first of several only. */
export const authorizationHeaders = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  )

const loginNeeded = () =>
  new GatewayError('errors.unauthorized', {
    explain: 'This call needs HTTP Basic authentication: the merchant id and the API password',
  })

/**
 * For forms that a payer's browser posts: asking for a login would show the payer a password box.
 */
export const merchantIdNeeded = () =>
  new GatewayError('errors.merchant_id.missing', {
    explain: 'merchant_id is missing: send the id of the merchant',
  })

/**
 * Splits at the first colon: a password may hold more of them, but no NUL, which scrypt would not
 * notice (RFC 7617).
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
