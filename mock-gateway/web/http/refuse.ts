import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import type { ApiError, Transaction } from '../../contract/wire.ts'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { errorBody, GatewayError } from '../../domain/errors/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import { LIMITS } from '../../parsing/parameters/limits.ts'
import { HASHED_FIELDS } from '../../parsing/request-hash.ts'
import { unavailability } from '../../storage/unavailable.ts'
import { type Exchange, exchangeOf } from './exchange.ts'

/** Creates the error for an address at which this method does nothing. */
export const noAddress = ({ method }: Pick<IncomingMessage, 'method'>) =>
  new GatewayError('errors.not_found', { explain: `There is no ${method} at this address` })

/** Nothing lives at this address. @throws errors.not_found (196) */
export const notFound: RequestHandler = (request) => {
  throw noAddress(request)
}

/**
 * Of what is rejected before its route is found, by a wrong login say, notes below what it was to
 * be, for the log.
 */
export const noteResource: ErrorRequestHandler = (error, { baseUrl, path }, response, next) => {
  if (asGatewayError(error).http !== 404)
    exchangeOf(response).resource ??= baseUrl.toLowerCase() + (path === '/' ? '' : '/*')
  next(error)
}

/**
 * Last in line: every refusal leaves as the JSON triple of the catalogue (specification: Errors).
 * What nobody foresaw is logged and answered with 500, or with 503 when the machine refused
 * something; an errors.unexpected that a test asked for is a refusal like any other.
 */
export function refuse(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error)
    const refusal = asGatewayError(error)
    writeRefusal(response, refusal)
    // What the database cannot do now is its own log's.
    if (refusal.http === 500 || refusedByMachine(error))
      logger.error({ request_id: exchangeOf(response).id, err: error })
    if (refusal.http === 503) response.setHeader('Cache-Control', 'no-store, private')
    response.json(refusalBody(response, refusal))
  }
}

/**
 * The JSON triple. With the setting error_object of the merchant, who may have failed to log in,
 * `object` comes with it: typed clients read it unguarded (observed: 7.7).
 * @param object what was refused; empty where nothing came about
 */
export function refusalBody(
  response: Response,
  { entry, description }: GatewayError,
  object: { readonly transaction?: Transaction | undefined } = {},
): ApiError & { readonly object?: typeof object } {
  const { locale, merchant, unproven } = exchangeOf(response)
  const body = errorBody(entry, locale, description)
  return (merchant ?? unproven)?.settings.error_object ? { ...body, object } : body
}

/**
 * Why the machine, not the database, cannot do what an answer needs, such as the reading of a file;
 * undefined otherwise.
 */
const refusedByMachine = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && unavailability(error) === undefined
    ? `The machine has too few resources for the answer (${(error as NodeJS.ErrnoException).code}); try again later`
    : undefined

/** Status, headers and log entry of a refusal, whatever its body is. */
export function writeRefusal(response: Response, refusal: GatewayError): void {
  noteRefusal(response, refusal)
  readRest(response.req)
  response.status(refusal.http)
}

/**
 * Log entry and explanation of a refusal whose answer is a redirect: the payer goes on, who
 * integrates sees why.
 */
export function noteRefusal(response: Response, { entry, explain }: GatewayError): void {
  const exchange = exchangeOf(response)
  exchange.errorName = entry.name
  if (explain) setExplanation(response, explain)
  if (entry.name === 'errors.hash.invalid' && exchange.merchant)
    explainAlso(response, `see ${hashCheckerOf(exchange, exchange.merchant.id)}`)
}

/**
 * Returns the address of the console's hash checker, filled in with the order; values that came
 * encrypted are left out.
 */
function hashCheckerOf({ parameters, encrypted, service }: Exchange, merchantId: number): string {
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

/** Characters of a value in the address of the hash checker: with longer ones the header is cut. */
const LONGEST_VALUE = 64

/** Adds a sentence for the integrator to an answer that says yes. */
export function explainAlso(response: ServerResponse, ...notes: readonly string[]): void {
  const before = response.getHeader('Mondido-Explain')
  const all = [...(typeof before === 'string' ? [before] : []), ...notes]
  if (all.length > 0) setExplanation(response, all.join('; '))
}

/**
 * Lets a client finish what it was sending, so that it reads the answer and may keep its
 * connection; one that sends more than any request may hold is cut off.
 */
function readRest(request: IncomingMessage): void {
  let left = LIMITS.bodyBytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
  })
}

/**
 * Every error as one of the catalogue: errors.service_not_available (243) with 503 when database or
 * machine cannot do what they should, errors.unexpected (133) with 500 when nobody foresaw it.
 */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  // The router's own: an address that is not percent-encoded UTF-8.
  if (error instanceof URIError)
    return new GatewayError('errors.encoding.invalid', {
      explain: 'The address is not percent-encoded UTF-8',
    })
  const explain = unavailability(error) ?? refusedByMachine(error)
  if (explain !== undefined)
    return new GatewayError('errors.service_not_available', { explain, http: 503, cause: error })
  return new GatewayError('errors.unexpected', { http: 500, cause: error })
}

/**
 * Characters of an explanation. It may repeat what was sent, and clients drop answers with huge
 * headers.
 */
const EXPLAIN_LIMIT = 1_000

/** Header values are Latin-1 without line breaks. What has been cleaned once stays as it is. */
function setExplanation(response: ServerResponse, text: string): void {
  const clean = text
    .toWellFormed()
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character))
  response.setHeader('Mondido-Explain', clean.slice(0, EXPLAIN_LIMIT))
}
