import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import type { ApiError, Transaction } from '../../contract/wire.ts'
import type { Logger } from '../../domain/ambient.ts'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { errorBody, GatewayError } from '../../domain/errors/errors.ts'
import { describeNotice, type Notice } from '../../domain/notices.ts'
import { LIMITS } from '../../parsing/parameters/limits.ts'
import { HASHED_FIELDS } from '../../parsing/request-hash.ts'
import { explainUnavailability } from '../../storage/unavailable.ts'
import { type Exchange, getExchange } from './exchange.ts'

/** Creates the error of an unknown address or method. */
export const noAddress = ({ method }: Pick<IncomingMessage, 'method'>) =>
  new GatewayError('errors.not_found', { explain: `There is no ${method} at this address.` })

/** Rejects an unknown address. @throws errors.not_found (196) */
export const notFound: RequestHandler = (request) => {
  throw noAddress(request)
}

/**
 * Records the resource of a request that was rejected before its route was found, for example by a
 * wrong login; for the log.
 */
export const noteResource: ErrorRequestHandler = (error, { baseUrl, path }, response, next) => {
  if (asGatewayError(error).http !== 404)
    getExchange(response).resource ??= baseUrl.toLowerCase() + (path === '/' ? '' : '/*')
  next(error)
}

/**
 * Last handler: sends every error as the catalogue's JSON (specification: Errors). Unexpected
 * errors are logged and sent as 500, or 503 if the system could not serve them; an
 * errors.unexpected requested by a test is an ordinary error.
 */
export function refuse(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error)
    const refusal = asGatewayError(error)
    writeRefusal(response, refusal)
    // Errors of the database are in its own log.
    if (refusal.http === 500 || explainMachineError(error))
      logger.error({ request_id: getExchange(response).id, err: error }, 'A request failed')
    if (refusal.http === 503) response.setHeader('Cache-Control', 'no-store, private')
    response.json(createErrorBody(response, refusal))
  }
}

/**
 * Builds the JSON of an error. With the merchant's setting error_object it contains `object`, even
 * after a failed login: typed clients read it unguarded (observed: 7.7).
 * @param object rejected object; empty if none was created
 */
export function createErrorBody(
  response: Response,
  { entry, description }: GatewayError,
  object: { readonly transaction?: Transaction | undefined } = {},
): ApiError & { readonly object?: typeof object } {
  const { locale, merchant, unproven } = getExchange(response)
  const body = errorBody(entry, locale, description)
  return (merchant ?? unproven)?.settings.error_object ? { ...body, object } : body
}

/** Returns the system's error, such as a file that cannot be read; undefined for other errors. */
const explainMachineError = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && explainUnavailability(error) === undefined
    ? `The machine has too few resources for the answer (${(error as NodeJS.ErrnoException).code}). Try again later.`
    : undefined

/** Sets status, headers and log entry of an error. */
export function writeRefusal(response: Response, refusal: GatewayError): void {
  noteRefusal(response, refusal)
  readRest(response.req)
  response.status(refusal.http)
}

/** Sets log entry and explanation of an error that is answered with a redirect. */
export function noteRefusal(response: Response, { entry, explain }: GatewayError): void {
  const exchange = getExchange(response)
  exchange.errorName = entry.name
  if (explain) setExplanation(response, explain)
  if (entry.name === 'errors.hash.invalid' && exchange.merchant)
    explainAlso(response, `Check the hash: ${linkHashChecker(exchange, exchange.merchant.id)}`)
}

/**
 * Returns the address of the console's hash checker, filled in with the order; values that came
 * encrypted are left out.
 */
function linkHashChecker({ parameters, encrypted, service }: Exchange, merchantId: number): string {
  const address = new URL(`${service.addresses.base}/console/${merchantId}/hash`)
  for (const name of HASHED_FIELDS) {
    const value = parameters[name]
    const isShown =
      value !== undefined && value !== null && typeof value !== 'object' && !encrypted.has(name)
    if (isShown && String(value).length <= LONGEST_VALUE)
      address.searchParams.set(name, maskCardNumbers(String(value)))
  }
  return address.href
}

/**
 * Maximum length of a value in the address of the hash checker: longer ones would exceed the
 * header's limit.
 */
const LONGEST_VALUE = 64

/** Adds notices to the request, and their sentences to the explanation of the response. */
export function addNotices(response: Response, notices: readonly Notice[]): void {
  getExchange(response).notices.push(...notices)
  explainAlso(response, ...notices.map(describeNotice))
}

/** Adds sentences to the explanation of a response. */
export function explainAlso(response: ServerResponse, ...notes: readonly string[]): void {
  const before = response.getHeader('Mondido-Explain')
  const all = [...(typeof before === 'string' ? [before] : []), ...notes]
  if (all.length > 0) setExplanation(response, all.join(' '))
}

/**
 * Lets a client finish sending, so that it reads the response and can reuse the connection; one
 * that sends more than the limit is cut off.
 */
function readRest(request: IncomingMessage): void {
  let left = LIMITS.bodyBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
  })
}

/**
 * Turns any error into one of the catalogue: errors.service_not_available (243) with status 503 if
 * the database or machine fails, errors.unexpected (133) with status 500 for an unforeseen error.
 */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  // The router's own: an address that is not percent-encoded UTF-8.
  if (error instanceof URIError)
    return new GatewayError('errors.encoding.invalid', {
      explain: 'The address is not percent-encoded UTF-8.',
    })
  const explain = explainUnavailability(error) ?? explainMachineError(error)
  if (explain !== undefined)
    return new GatewayError('errors.service_not_available', { explain, http: 503, cause: error })
  return new GatewayError('errors.unexpected', { http: 500, cause: error })
}

/** Returns an error of the catalogue. @throws the error itself if it is unforeseen */
export function asForeseenError(error: unknown): GatewayError {
  const refusal = asGatewayError(error)
  if (refusal.entry.name === 'errors.unexpected') throw error
  return refusal
}

/**
 * Maximum length of an explanation in characters. It can repeat sent values, and clients drop
 * answers with huge headers.
 */
const EXPLAIN_LIMIT = 1_000

/** Sets a header value: Latin-1 without line breaks. Applying it twice gives the same value. */
function setExplanation(response: ServerResponse, text: string): void {
  const clean = text
    .toWellFormed()
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character))
  response.setHeader('Mondido-Explain', clean.slice(0, EXPLAIN_LIMIT))
}
