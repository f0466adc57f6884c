import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import onHeaders from 'on-headers'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { JsonValue } from '../../domain/json.ts'
import {
  asLocale,
  choosePageLanguage,
  DEFAULT_LOCALE,
  type Locale,
} from '../../domain/language/languages.ts'
import { performance } from '../../domain/timers.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import {
  listEncryptedNames,
  listEncryptedValues,
  MAX_ENCRYPTED,
  withDecryptedValues,
} from '../../parsing/parameters/decrypt.ts'
import type { Decryptor } from '../../parsing/parameters/decryptor.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { readBody, readParameters } from '../../parsing/parameters/read.ts'
import { findApiCall, noticeUnused } from '../../parsing/unused-parameters.ts'
import { refuseGone } from '../../work/work.ts'
import { type Exchange, getExchange, getMerchant } from './exchange.ts'
import { authenticate, createLoginError, createMerchantIdError } from './login.ts'
import { addNotices } from './refuse.ts'
import { getRoute } from './request-facts.ts'

/** Detects a request for English in a form, JSON or multipart that cannot be parsed. */
const ASKS_FOR_ENGLISH = /(?:^|&)locale=en(?:&|$)|"locale"\s*:\s*"en"|name="locale"\r\n\r\nen\r\n/i

/** Decrypts the parameters in `encrypted`, before anything else reads them. */
type DecryptParameters = (request: IncomingMessage, exchange: Exchange) => Promise<void>

/** Parts that receive the calls of merchants. */
export interface CallReceiver {
  readonly authenticator: Authenticator
  readonly decrypt: DecryptParameters
}

/**
 * Receives a call of a merchant's server: login, parameters, decryption, once each and in this
 * order, so that nothing is read for a client without a login.
 * @throws the errors of `authenticate`, `readRequest`, `decrypt` and `checkMerchantId`
 */
export const receiveCall =
  ({ authenticator, decrypt }: CallReceiver): RequestHandler =>
  async (request, response, next) => {
    await authenticate(authenticator, request, response)
    await readRequest(request, response)
    await decrypt(request, getExchange(response))
    checkMerchantId(response)
    noticeParameters(request, response)
    next()
  }

/**
 * Receives a call that pages may make too: its parameters are read first, because they name the
 * merchant of a request without a login.
 * @throws as `receiveCall`
 */
export const receiveOpenCall =
  (receiver: CallReceiver): RequestHandler =>
  async (request, response, next) => {
    await readRequest(request, response)
    await receiveNamed(receiver, request, response, createLoginError)
    noticeParameters(request, response)
    next()
  }

/** Receives a form of a payer's browser; its page has read the parameters. @throws as `receiveCall` */
export const receiveForm =
  (receiver: CallReceiver): RequestHandler =>
  async (request, response, next) => {
    await receiveNamed(receiver, request, response, createMerchantIdError)
    next()
  }

async function receiveNamed(
  { authenticator, decrypt }: CallReceiver,
  request: Request,
  response: Response,
  createMissing: () => GatewayError,
): Promise<void> {
  const merchantId = text(getExchange(response).parameters, 'merchant_id')
  await authenticate(authenticator, request, response, { merchantId, createMissing })
  await decrypt(request, getExchange(response))
  checkMerchantId(response)
}

/** Receives a request without a merchant's login, such as a page's. */
export const receiveParameters: RequestHandler = async (request, response, next) => {
  await readRequest(request, response)
  next()
}

/**
 * Reads query and body into the exchange. After an error the connection is closed: more of the body
 * may follow.
 */
async function readRequest(request: Request, response: Response): Promise<void> {
  const exchange = getExchange(response)
  const query = getQuery(request.originalUrl)
  let body: Buffer | undefined
  try {
    body = await readBody(request)
    exchange.service.threadWatch.begin(response)
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers
    exchange.parameters = readParameters({ query, contentType, contentEncoding, body })
  } catch (error) {
    response.setHeader('Connection', 'close')
    // The query's language is already set.
    if (body && ASKS_FOR_ENGLISH.test(body.toString('latin1'))) exchange.locale = 'en'
    throw error
  }
  exchange.locale = chooseLocale(exchange.parameters)
  exchange.times.readAt = performance.now() - exchange.startedAt
}

/** Creates the decryption of parameters with the key of their merchant. */
export const createDecryption =
  (keys: KeyRing, decryptor: Decryptor): DecryptParameters =>
  async ({ socket }, exchange) => {
    const { parameters, loggedIn, merchant } = exchange
    if (!merchant || text(parameters, 'encrypted') === undefined) return
    const names = listEncryptedNames(
      parameters,
      loggedIn ? MAX_ENCRYPTED.loggedIn : MAX_ENCRYPTED.anybody,
    )
    exchange.encrypted = names
    if (names.size === 0) return
    const { privateKey } = await keys.of(merchant.id)
    const sealed = { values: listEncryptedValues(parameters, names), privateKey }
    const values = await decryptor.decrypt(sealed, () => refuseGone(socket))
    exchange.parameters = withDecryptedValues(parameters, names, values)
    exchange.locale = chooseLocale(exchange.parameters)
  }

/**
 * Rejects parameters that name another merchant than the authenticated one; `merchant_id` is
 * optional.
 * @throws errors.merchant.invalid (202)
 */
function checkMerchantId(response: Response): void {
  const sent = text(getExchange(response).parameters, 'merchant_id')
  if (sent !== undefined && sent !== String(getMerchant(response).id))
    throw new GatewayError('errors.merchant.invalid', {
      explain:
        'merchant_id is not the id of the logged-in merchant. Send your own id, or leave merchant_id out.',
    })
}

/**
 * Notices an unsupported language and unused parameters. The route is only known when the response
 * is sent.
 */
function noticeParameters(request: Request, response: Response): void {
  const exchange = getExchange(response)
  noticeLanguage(response, 'locale', exchange.parameters.locale)
  onHeaders(response, () => {
    const route = getRoute(request)
    if (route === undefined) return
    const call = findApiCall(request.method, route)
    addNotices(response, noticeUnused(call, exchange.parameters, exchange))
  })
}

/** Notices an unsupported language. */
function noticeLanguage(
  response: Response,
  name: 'locale' | 'lang',
  sent: JsonValue | undefined,
): void {
  if (typeof sent !== 'string' || sent === '' || asLocale(sent)) return
  // Longer texts are not language codes, and may contain anything.
  const shown = /^[a-z_-]{1,12}$/i.test(sent) ? sent : null
  addNotices(response, [{ code: 'language.unsupported', facts: { name, sent: shown } }])
}

/** Returns the requested language, or the default for missing and unknown values (observed: 13). */
const chooseLocale = ({ locale }: Parameters): Locale => asLocale(locale) ?? DEFAULT_LOCALE

function getQuery(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Sets the language of a payer's request; a payment's page may use its merchant's choice. */
export const notePageLocale: RequestHandler = (request, response, next) => {
  noteLocale(request, response)
  const { locale, lang } = getExchange(response).parameters
  noticeLanguage(response, 'locale', locale)
  noticeLanguage(response, 'lang', lang)
  next()
}

/**
 * Sets the language of an answer to a payer. A form that cannot be parsed has no parameters; then
 * the language in its address counts, also if another part of the address cannot be parsed.
 * @param merchant language that the merchant requested for the payment
 */
export function noteLocale(request: Request, response: Response, merchant?: unknown): void {
  const exchange = getExchange(response)
  const { searchParams } = new URL(request.originalUrl, 'http://gateway')
  const { locale = searchParams.get('locale'), lang = searchParams.get('lang') } =
    exchange.parameters
  const noted = exchange.locale === DEFAULT_LOCALE ? undefined : exchange.locale
  exchange.locale = choosePageLanguage({
    locale,
    lang,
    merchant: merchant ?? noted,
    acceptLanguage: request.headers['accept-language'],
  })
}
