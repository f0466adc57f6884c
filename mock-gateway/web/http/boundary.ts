import type { IncomingMessage } from 'node:http'
import type { RequestHandler, Response } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { errorBody, GatewayError } from '../../domain/errors/errors.ts'
import { memoized } from '../../domain/memoized.ts'
import { exchangeOf } from './exchange.ts'
import { writeRefusal } from './refuse.ts'

/**
 * Answers only requests whose Host names the gateway: a page whose own name is bound anew to this
 * machine (DNS rebinding) would otherwise read, as its own origin, what only this machine may see.
 * @param hosts names as URLs have them, IPv6 addresses in brackets; undefined answers every Host
 */
export function knownHosts(hosts: readonly string[] | undefined): RequestHandler {
  const known = hosts && new Set(hosts.map(hostName))
  const nameOf = memoized(KNOWN_BY_NAME, hostName)
  const explain = `This gateway accepts requests for the hosts ${hosts?.join(', ')}; if it has another name, start it with BASE_URL`
  return (request, response, next) => {
    // Only HTTP/1.0 may leave it out, which no browser speaks.
    const { host } = request.headers
    if (host === undefined && request.httpVersion === '1.1')
      refuseWith(response, 400, 'HTTP/1.1 needs a Host header')
    else if (known === undefined || host === undefined || known.has(nameOf(host))) next()
    else refuseWith(response, 421, explain)
  }
}

/** Hosts that are remembered as they were sent. */
const KNOWN_BY_NAME = 100

const hostName = (host: string): string | undefined => {
  const url = URL.parse(`http://${host}`)
  return url && url.username === '' && url.pathname === '/' ? url.hostname : undefined
}

/**
 * Where any page may write, with what a payer's browser sends and no password (specification:
 * Browser integration).
 */
const OPEN_TO_PAGES = /^\/(?:v1\/(?:transactions\/?|(?:form|mpi_js|acs)(?:\/.*)?)|pay\/.*)$/i

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what pages of other origins would change, before a login counts: a browser sends the
 * password it remembers along with whatever page's form.
 */
export function noForeignWrites({ base, pay, cdn }: Addresses): RequestHandler {
  const own = new Set([base, pay, cdn].map((address) => new URL(address).origin))
  return (request, response, next) => {
    const isOpen = OPEN_TO_PAGES.test(request.path) && request.headers.authorization === undefined
    if (READING.has(request.method) || isOpen || !isFromForeignPage(request, own)) next()
    else
      refuseWith(
        response,
        403,
        'A page of another origin can only pay; make this call from your server',
      )
  }
}

/**
 * Whether a page of another origin has sent the request. Browsers say so in Sec-Fetch-Site, where
 * another port is another page on the `same-site`; old ones, and those on plain http, by the Origin
 * of whatever writes. No others do.
 */
export function isFromForeignPage(
  { headers }: IncomingMessage,
  own: ReadonlySet<string> = new Set(),
): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !own.has(origin) && URL.parse(origin)?.host !== host
}

/**
 * Refuses the gateway's own webhooks: the body of one is a payment that could be made again, with
 * the same webhooks, and so on without end.
 */
export const noOwnWebhooks: RequestHandler = (request, response, next) => {
  if (request.headers['webhook-id'] === undefined) next()
  else
    refuseWith(
      response,
      403,
      'A webhook must not call the gateway itself; use the address of your shop',
    )
}

/**
 * What is refused before anything is read has HTTP's own status, as everything that never becomes a
 * request.
 */
function refuseWith(response: Response, status: 400 | 403 | 421, explain: string): void {
  const refusal = new GatewayError('errors.request.bad_format', { explain })
  writeRefusal(response, refusal)
  response.setHeader('Cache-Control', 'no-store, private')
  response.status(status).json(errorBody(refusal.entry, exchangeOf(response).locale))
}
