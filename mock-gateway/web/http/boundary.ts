import type { IncomingMessage } from 'node:http'
import type { RequestHandler, Response } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { badFormat, errorBody } from '../../domain/errors/errors.ts'
import { memoized } from '../../domain/memoized.ts'
import { getExchange } from './exchange.ts'
import { writeRefusal } from './refuse.ts'

/**
 * Rejects requests whose Host is not the gateway's: otherwise a page with DNS rebinding could read
 * local data as its own origin. Browsers get the explanation as text, because no asset of a page
 * can be loaded under a foreign name.
 * @param hosts names as in URLs, IPv6 addresses in brackets; undefined allows every Host
 */
export function createHostCheck(hosts: readonly string[] | undefined): RequestHandler {
  const known = hosts && new Set(hosts.map(parseHostName))
  const createNameCell = memoized(KNOWN_BY_NAME, parseHostName)
  const explain = `This gateway accepts requests for the hosts ${hosts?.join(', ')}. If it has another name, start it with --base-url.`
  return (request, response, next) => {
    // Only HTTP/1.0 may omit it, which no browser uses.
    const { host } = request.headers
    if (host === undefined && request.httpVersion === '1.1')
      refuseWith(response, 400, 'The Host header is missing. HTTP/1.1 needs it.')
    else if (known === undefined || host === undefined || known.has(createNameCell(host))) next()
    else if (request.headers.accept?.includes('text/html'))
      response
        .status(421)
        .type('text')
        .send(`${explain}\n\nThe guide is docs/how-to/tunnel-or-proxy.md.\n`)
    else refuseWith(response, 421, explain)
  }
}

/** Maximum number of cached Host headers. */
const KNOWN_BY_NAME = 100

const parseHostName = (host: string): string | undefined => {
  const url = URL.parse(`http://${host}`)
  return url && url.username === '' && url.pathname === '/' ? url.hostname : undefined
}

/** Addresses where any page may write, without a password (specification: Browser integration). */
const OPEN_TO_PAGES = /^\/(?:v1\/(?:transactions\/?|(?:form|mpi_js|acs)(?:\/.*)?)|pay\/.*)$/i

const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects writes by pages of other origins, before a login counts: browsers add a remembered
 * password to the forms of every page.
 */
export function createForeignWriteCheck({ base, pay, cdn }: Addresses): RequestHandler {
  const own = new Set([base, pay, cdn].map((address) => new URL(address).origin))
  return (request, response, next) => {
    const isOpen = OPEN_TO_PAGES.test(request.path) && request.headers.authorization === undefined
    if (READING.has(request.method) || isOpen || !isFromForeignPage(request, own)) next()
    else
      refuseWith(
        response,
        403,
        'A page of another origin can only pay. Make this call from your server.',
      )
  }
}

/**
 * Returns true if a page of another origin sent the request. Browsers send Sec-Fetch-Site, in which
 * another port is `same-site`; old browsers, and those on plain http, only send the Origin of
 * writes.
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
 * Rejects the gateway's own webhooks: the body of one is a payment that could be created again,
 * with the same webhooks, in an endless loop.
 */
export const refuseOwnWebhooks: RequestHandler = (request, response, next) => {
  if (request.headers['webhook-id'] === undefined) next()
  else
    refuseWith(
      response,
      403,
      'A webhook must not call the gateway itself. Use the address of your shop.',
    )
}

/** Requests rejected before they are read get a status of HTTP itself. */
function refuseWith(response: Response, status: 400 | 403 | 421, explain: string): void {
  const refusal = badFormat(explain)
  writeRefusal(response, refusal)
  response.setHeader('Cache-Control', 'no-store, private')
  response.status(status).json(errorBody(refusal.entry, getExchange(response).locale))
}
