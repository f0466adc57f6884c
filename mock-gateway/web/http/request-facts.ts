import type { Request, Response } from 'express'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { readId } from '../../domain/identifiers.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import { performance } from '../../domain/timers.ts'
import type { PaymentLine } from '../../serializers/payment-line.ts'
import type { RequestRow } from '../../storage/tables/requests.ts'
import type { Exchange } from './exchange.ts'
import { readBasic } from './login.ts'

/**
 * Logged facts of a request. An allow-list, so that no card data, password, hash or token is
 * logged. The path is the route's pattern, because a real path may contain the token of a payment
 * page.
 */
export interface RequestFacts
  extends Readonly<
    Pick<RequestRow, 'request_id' | 'method' | 'route' | 'status' | 'error' | 'explain'>
  > {
  readonly merchant_id: number | null
  readonly duration_ms: number
  /** Only if the request had a valid one. */
  readonly traceparent?: string
  /** Only where the request has done something to a payment. */
  readonly payment?: PaymentLine
}

export const requestFacts = (
  request: Request,
  response: Response,
  exchange: Exchange,
): RequestFacts => ({
  request_id: exchange.id,
  method: request.method,
  route: getRoute(request) ?? exchange.resource ?? null,
  status: response.writableFinished ? response.statusCode : null,
  merchant_id: (exchange.merchant ?? exchange.pageOf)?.id ?? null,
  error: exchange.errorName ?? null,
  explain: findExplanation(request, response, exchange),
  duration_ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
  ...(exchange.traceparent !== undefined && { traceparent: exchange.traceparent }),
  ...(exchange.payment && { payment: exchange.payment }),
})

/** Returns the explanation, which can quote a password or a secret that a client sent by mistake. */
function findExplanation({ headers }: Request, response: Response, exchange: Exchange) {
  const explain = response.getHeader('Mondido-Explain')
  if (typeof explain !== 'string') return null
  const { authorization } = headers
  const owner = getOwner(exchange)
  const [secret, previousSecret] = [owner?.secret, owner?.previousSecret?.value]
  return withoutSecrets(explain, listSecrets({ secret, previousSecret, authorization }))
}

const getOwner = ({ merchant, pageOf, unproven }: Exchange) => merchant ?? pageOf ?? unproven

/** Returns texts that are never logged or stored: secrets of the merchant, and the sent password. */
export const listSecrets = ({
  secret,
  previousSecret,
  authorization = '',
}: Pick<ResponseFacts, 'secret' | 'previousSecret' | 'authorization'>) => [
  secret,
  previousSecret,
  readBasic(authorization)?.password,
]

/**
 * Returns the pattern of the route that answers, such as /v1/transactions/:id, or undefined if none
 * was found. Express forgets where a router is mounted once an error has left the router, so the
 * mount path is what the address has in front of as many segments as the pattern has.
 */
export function getRoute({ route, originalUrl }: Request): string | undefined {
  if (route === undefined) return undefined
  const pattern: string = route.path === '/' ? '' : route.path
  const segments = getPath(originalUrl).split('/')
  while (segments.at(-1) === '') segments.pop()
  const mount = segments.slice(0, segments.length - (pattern.split('/').length - 1))
  return mount.join('/').toLowerCase() + pattern
}

/** An answered request before it is stored: its known facts, as JSON. */
export interface ResponseFacts
  extends Pick<Exchange, 'parameters' | 'times' | 'struck' | 'deliveries' | 'notices'> {
  readonly facts: RequestFacts
  /** Epoch milliseconds, by its merchant's clock. */
  readonly at: number
  readonly url: string
  readonly encrypted: readonly string[]
  readonly headers: Headers<(typeof SENT_HEADERS)[number]>
  readonly authorization: string | undefined
  readonly answered: Headers<(typeof ANSWERED_HEADERS)[number]>
  readonly transactionId: number | null
  /** The merchant that its failed login named. */
  readonly claimed?: number | undefined
  readonly secret: string | undefined
  readonly previousSecret?: string | null | undefined
}

type Headers<Name extends string> = { readonly [N in Name]?: string | undefined }

/** Headers of requests and answers that help an integrator. */
const SENT_HEADERS = [
  'content-type',
  'content-length',
  'accept',
  'accept-language',
  'user-agent',
  'origin',
  'traceparent',
] as const
const ANSWERED_HEADERS = [
  'content-type',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
] as const

/**
 * Collects the facts of a request until it is stored.
 * @param at epoch milliseconds
 */
export function collectResponseFacts(
  facts: RequestFacts,
  { headers, originalUrl: url }: Request,
  response: Response,
  exchange: Exchange,
  at: number,
): ResponseFacts {
  const { parameters, encrypted, times, struck, deliveries, notices } = exchange
  const { about, payment, unproven } = exchange
  const owner = getOwner(exchange)
  return {
    facts,
    at,
    url,
    headers: pickHeaders(SENT_HEADERS, (name) => headers[name]),
    authorization: headers.authorization,
    answered: pickHeaders(ANSWERED_HEADERS, (name) => response.getHeader(name)),
    parameters,
    encrypted: [...encrypted],
    times,
    struck,
    deliveries,
    notices,
    transactionId: payment?.id ?? about ?? idIn(url),
    claimed: unproven?.id,
    secret: owner?.secret,
    previousSecret: owner?.previousSecret?.value,
  }
}

/**
 * Reads the payment that a call of the API names. It can belong to another merchant, so rows are
 * looked up by merchant too. A card number instead of an id is not stored.
 */
function idIn(url: string): number | null {
  const id = /^\/v[12]\/transactions\/(\d+)/i.exec(url)?.[1] ?? ''
  return maskCardNumbers(id) === id ? (readId(id) ?? null) : null
}

/** Returns the headers with these names that the request has. */
function pickHeaders<Name extends string>(
  names: readonly Name[],
  getHeader: (name: Name) => string | number | readonly string[] | undefined,
): Headers<Name> {
  const picked: { [N in Name]?: string } = {}
  for (const name of names) {
    const value = getHeader(name)
    if (value !== undefined) picked[name] = String(value)
  }
  return picked
}

/** Maximum number of stored characters of an answer, and of bytes per character. */
export const MOST_OF_ANSWER = 16_384
const BYTES = 3

/**
 * Returns the part of a response to store; pages are not stored, because they contain tokens.
 * @returns '' for nothing
 */
export function keptAnswer(
  { answered, url }: ResponseFacts,
  body: string | Buffer | undefined,
): string | Buffer {
  const isJson = answered['content-type']?.startsWith('application/json')
  if (body === undefined || !isJson || !isKept(getPath(url))) return ''
  return typeof body === 'string' ? body : body.subarray(0, BYTES * (MOST_OF_ANSWER + 1))
}

/**
 * Calls of the control API that move clocks or affect payments. Other calls, such as fixtures,
 * merchants and seeds, contain secrets.
 */
const KEPT_OF_CONTROL = /^\/_control\/(?:clock|payments|captures|faults|3ds)\b/i

export const getPath = (url: string): string => url.split('?', 1)[0] ?? ''

/** Returns true for calls whose parameters and answer are stored. */
export const isKept = (path: string) => !/^\/_control\b/i.test(path) || KEPT_OF_CONTROL.test(path)
