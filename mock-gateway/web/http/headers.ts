import type { RequestHandler, Response } from 'express'

/** On every answer of the gateway. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  // What pages of other origins may have says so itself.
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const API: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, private',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '1; mode=block',
}

/** Browsers keep the answer to a preflight two hours at most, whatever they are told. */
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
 * Answers with a text of JSON. `response.send` would guess its type and encoding, and ask whether
 * the client has it already, which takes longer than a merchant's login.
 * @param bytes of the text, where they are known
 */
export function sendJson(response: Response, text: string, bytes = Buffer.byteLength(text)): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', bytes)
  response.end(text)
}

/**
 * Sends `COMMON_HEADERS`, and `Mondido-Mock`: a shop that goes live with the address of a mock must
 * notice.
 * @param mock the value of `Mondido-Mock`; undefined leaves it out
 */
export const commonHeaders = (mock: string | undefined): RequestHandler =>
  send(mock === undefined ? COMMON_HEADERS : { ...COMMON_HEADERS, 'Mondido-Mock': mock })

/**
 * On every answer of the API (observed: 14; that nothing is kept, not even on a disk, is decision
 * 31).
 */
export const apiHeaders = send(API)

/**
 * Lets any page's script read the answer, refusals included, and answers the browser's question
 * before (observed: 14). No credentials are allowed, so a page gets only what it could ask for
 * without a browser.
 * @param methods what the page may do, such as 'POST, OPTIONS'
 */
export function openToPages(methods: string): RequestHandler {
  const headers = { ...CORS, 'Access-Control-Allow-Methods': methods }
  return (request, response, next) => {
    set(response, headers)
    if (request.method === 'OPTIONS') response.status(200).end()
    else next()
  }
}
