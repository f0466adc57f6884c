import type { RequestHandler, Response } from 'express'
import { isThisMachine } from '../../domain/order/urls.ts'

/** Headers of every response of the gateway. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  // Resources for other origins override it.
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const API: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, private',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '1; mode=block',
}

/** Browsers cache a preflight response for two hours at most. */
const CORS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Request-Method': '*',
  'Access-Control-Expose-Headers': 'Mondido-Explain',
  'Access-Control-Max-Age': '7200',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

function set(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) response.setHeader(name, headers[name] as string)
}

const send =
  (headers: Readonly<Record<string, string>>): RequestHandler =>
  (_request, response, next) => {
    set(response, headers)
    next()
  }

/**
 * Sends JSON text. `response.send` would detect the type and encoding, and compare ETags, which
 * takes longer than a merchant's login.
 * @param bytes of the text, if known
 */
export function sendJson(response: Response, text: string, bytes = Buffer.byteLength(text)): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', bytes)
  response.end(text)
}

/**
 * Sends `COMMON_HEADERS`, `Strict-Transport-Security`, and `Mondido-Mock`, so that a shop which goes
 * live with the address of a mock notices.
 * @param base address of the API
 * @param mock the value of `Mondido-Mock`; undefined leaves it out
 */
export const sendCommonHeaders = (base: string, mock: string | undefined): RequestHandler =>
  send({
    ...COMMON_HEADERS,
    ...createStrictTransport(new URL(base)),
    ...(mock !== undefined && { 'Mondido-Mock': mock }),
  })

/**
 * Browsers keep to https for a year, but never on this machine, where other programs use http;
 * `max-age=0` removes the rule of an earlier version. The header is forbidden over http (RFC 6797,
 * section 7.2).
 */
function createStrictTransport({ protocol, hostname }: URL): Readonly<Record<string, string>> {
  if (protocol !== 'https:') return {}
  return { 'Strict-Transport-Security': isThisMachine(hostname) ? 'max-age=0' : 'max-age=31536000' }
}

/**
 * Sets the headers of every API response (observed: 14; that nothing is stored, not even on a disk,
 * is decision 31).
 */
export const apiHeaders = send(API)

/**
 * Allows scripts of any page to read the response, including errors, and answers preflight requests
 * (observed: 14). Credentials are not allowed, so a page gets the same as any client without a
 * browser.
 * @param methods allowed methods, such as 'POST, OPTIONS'
 */
export function openToPages(methods: string): RequestHandler {
  const headers = { ...CORS, 'Access-Control-Allow-Methods': methods }
  return (request, response, next) => {
    set(response, headers)
    if (request.method === 'OPTIONS') response.status(200).end()
    else next()
  }
}
