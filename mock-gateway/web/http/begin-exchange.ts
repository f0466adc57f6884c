import type { RequestHandler, Response } from 'express'
import onHeaders from 'on-headers'
import { asLocale, DEFAULT_LOCALE } from '../../domain/language/languages.ts'
import { http } from '../../domain/node-http.ts'
import { performance } from '../../domain/timers.ts'
import { Exchange, type Service } from './exchange.ts'
import type { RequestLog } from './request-log.ts'

/** Version, trace id, parent id and flags, in lower-case hexadecimal digits. */
const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Fills an id that is invalid. */
const ZEROS = /^0+$/

/** The only flag of version 00. */
const SAMPLED = 0x01

/**
 * Reads the header `traceparent` of a request (W3C Trace Context, section 3.2).
 * @returns the header to pass on, always in version 00; undefined if it is missing or malformed
 */
export function readTraceparent(header: string | undefined): string | undefined {
  const [, version, trace = '', parent = '', flags = '', rest] = FORMAT.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  if (ZEROS.test(trace) || ZEROS.test(parent)) return undefined
  if (version === '00') return rest === undefined ? header : undefined
  const sampled = Number.parseInt(flags, 16) & SAMPLED
  return `00-${trace}-${parent}-0${sampled}`
}

const LOCALE_IN_QUERY = /[?&]locale=([a-z]+)(?:&|$)/i

/**
 * Creates the first handler of every request: it sets the id, the time and the log line. Only this
 * handler reads the clock.
 */
export function beginExchange(service: Service, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    const exchange = new Exchange(
      service,
      readTraceparent(request.get('traceparent')),
      // For errors before the parameters are read, such as a wrong password.
      asLocale(LOCALE_IN_QUERY.exec(request.originalUrl)?.[1]) ?? DEFAULT_LOCALE,
    )
    response.locals.exchange = exchange
    service.threadWatch.begin(response)
    request.url = withOneSlashAtEnd(request.url)
    // Express answers every address with 304 to `*`; most responses must not be cached and have no
    // ETag (decision 113).
    if (request.headers['if-none-match'] === '*') delete request.headers['if-none-match']
    response.setHeader('X-Request-Id', exchange.id)
    onHeaders(response, () => setLateHeaders(response, exchange))
    keepBody(response, exchange)
    response.on('close', () => log(request, response, exchange))
    next()
  }
}

/** Sets the two headers that are only known when the response is sent (observed: 14). */
function setLateHeaders(response: Response, { startedAt }: Exchange) {
  const { statusCode } = response
  response.setHeader('Status', `${statusCode} ${http.STATUS_CODES[statusCode] ?? ''}`.trim())
  response.setHeader('X-Runtime', ((performance.now() - startedAt) / 1000).toFixed(6))
}

/** Keeps a response that is sent in one piece, like all responses of the API. */
function keepBody(response: Response, exchange: Exchange) {
  const end = response.end.bind(response) as (...args: unknown[]) => Response
  response.end = (...args: unknown[]) => {
    const [body] = args
    if (typeof body === 'string' || body instanceof Buffer) exchange.answer = body
    return end(...args)
  }
}

/** Express ignores one slash at the end of a path (observed: 1.4); this also allows several. */
function withOneSlashAtEnd(url: string): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  let end = path.length
  while (path.endsWith('//', end)) end -= 1
  return path.slice(0, end) + url.slice(path.length)
}
