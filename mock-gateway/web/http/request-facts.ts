import type { Request, Response } from 'express'
import { removeSecretsFromText } from '../../domain/secrets.ts'
import { performance } from '../../domain/timers.ts'
import type { Exchange } from './exchange.ts'
import { readBasic } from './login.ts'

export type RequestFacts = ReturnType<typeof requestFacts>

/**
 * Collects the logged facts of a request. An allow-list, so that no card data, password, hash or
 * token is logged. The path is the route's pattern, because a real path may contain the token of a
 * payment page.
 */
export const requestFacts = (request: Request, response: Response, exchange: Exchange) => ({
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
function findExplanation(request: Request, response: Response, exchange: Exchange) {
  const explain = response.getHeader('Mondido-Explain')
  return typeof explain === 'string'
    ? removeSecretsFromText(explain, Object.values(collectSecrets(request, exchange)))
    : null
}

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

export const getPath = (url: string): string => url.split('?', 1)[0] ?? ''

/** Texts that are never logged or stored. */
export interface RequestSecrets {
  /** As the client sent it. */
  readonly password?: string | undefined
  /** The merchant's. */
  readonly secret?: string | undefined
  readonly previousSecret?: string | null | undefined
}

/** Collects the secrets of the merchant, and the sent password. */
export function collectSecrets(
  { headers: { authorization = '' } }: Request,
  { merchant, pageOf, unproven }: Exchange,
): RequestSecrets {
  const owner = merchant ?? pageOf ?? unproven
  return {
    secret: owner?.secret,
    previousSecret: owner?.previousSecret?.value,
    password: readBasic(authorization)?.password,
  }
}
