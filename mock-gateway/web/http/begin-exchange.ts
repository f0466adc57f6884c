import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Express, Request, RequestHandler, Response } from 'express'
import { asLocale, DEFAULT_LOCALE, type Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { NONE_ENCRYPTED } from '../../parsing/parameters/decrypt.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { PaymentLine } from '../../serializers/payment-line.ts'
import { type Exchange, exchangeOf, type Service } from './exchange.ts'
import { sendJson } from './headers.ts'
import type { RequestLog } from './request-log.ts'

const NONE: Parameters = Object.freeze(Object.create(null))

/** First in line for every request: its id, its moment, its line in the log. The clock is read here and nowhere else. */
export function beginExchange(service: Service, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    const exchange = new Begun(service, request.originalUrl)
    response.locals.exchange = exchange
    service.threadWatch.begin(response)
    request.url = withOneSlashAtEnd(request.url)
    response.setHeader('X-Request-Id', exchange.id)
    response.on('close', () => log(request, response, exchange))
    next()
  }
}

/** One that knows nothing yet. A class: a getter in a literal makes every member of it slow to reach. */
class Begun implements Exchange {
  readonly id = randomUUID()
  readonly startedAt = performance.now()
  readonly nowOf: (merchantId?: number) => number
  readonly service: Service
  parameters = NONE
  encrypted = NONE_ENCRYPTED
  merchant: Merchant | undefined = undefined
  unproven: Merchant | undefined = undefined
  pageOf: Merchant | undefined = undefined
  loggedIn = false
  administrator = false
  locale: Locale
  route: string | undefined = undefined
  payment: PaymentLine | undefined = undefined
  about: number | undefined = undefined
  errorName: string | undefined = undefined
  readonly times = {}
  readonly deliveries = []
  struck: string | undefined = undefined
  answer: string | Buffer | undefined = undefined

  constructor(service: Service, url: string) {
    this.nowOf = service.clocks.moment()
    this.service = service
    // Refusals from before the parameters are read, such as a wrong password, are in the language of the query.
    this.locale = asLocale(/[?&]locale=([a-z]+)(?:&|$)/i.exec(url)?.[1]) ?? DEFAULT_LOCALE
  }

  get now(): number {
    return this.nowOf(this.merchant?.id)
  }
}

/** Express passes over one slash at the end of a path (observed: 1.4); several are as good as one. */
function withOneSlashAtEnd(url: string): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  let end = path.length
  while (path.endsWith('//', end)) end -= 1
  return path.slice(0, end) + url.slice(path.length)
}

/** What every request and response of an app does by itself: defined once, since each would pay for its own. */
export function tellExchange(app: Express): void {
  const { request, response } = app
  app.set('etag', false)
  knowByTag(request)
  noteRoutes(request)
  stampHeads(response)
  noteAnswers(response)
  response.json = function (this: Response, value) {
    sendJson(this, JSON.stringify(value))
    return this
  }
}

/** `If-None-Match: *` says of everything that it is known; only what has an ETag may be. */
function knowByTag(prototype: Request) {
  Object.defineProperty(prototype, 'fresh', {
    get(this: Request) {
      return Boolean(this.res?.hasHeader('ETag')) && Reflect.get(Object.getPrototypeOf(prototype), 'fresh', this)
    },
  })
}

const FOUND = Symbol('route')

/**
 * Keeps the pattern of a route as soon as Express has found it: once an error leaves a router, Express no longer says
 * where that router stood. Routers stand at plain paths, so nothing that was sent is in it but the case of letters.
 */
function noteRoutes(prototype: Request) {
  Object.defineProperty(prototype, 'route', {
    get(this: Request & { [FOUND]?: unknown }) {
      return this[FOUND]
    },
    set(this: Request & { [FOUND]?: unknown }, found: { readonly path: string }) {
      this[FOUND] = found
      exchangeOf(this.res as Response).route = this.baseUrl.toLowerCase() + (found.path === '/' ? '' : found.path)
    },
  })
}

/** The two headers that are known only when the answer leaves (observed: 14). */
function stampHeads(prototype: Response) {
  const writeHead = prototype.writeHead as (...args: unknown[]) => Response
  prototype.writeHead = function (this: Response, status: number, ...rest: unknown[]) {
    const { exchange } = this.locals
    if (!this.headersSent && exchange) {
      this.setHeader('Status', `${status} ${STATUS_CODES[status] ?? ''}`.trim())
      this.setHeader('X-Runtime', ((performance.now() - exchange.startedAt) / 1000).toFixed(6))
    }
    return writeHead.call(this, status, ...rest)
  }
}

/** Keeps what is sent in one piece, as every answer of the API is. */
function noteAnswers(prototype: Response) {
  const end = prototype.end as (...args: unknown[]) => Response
  prototype.end = function (this: Response, ...args: unknown[]) {
    const [body] = args
    const { exchange } = this.locals
    if (exchange && (typeof body === 'string' || body instanceof Buffer)) exchange.answer = body
    return end.apply(this, args)
  }
}
