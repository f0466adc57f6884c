import type { RequestHandler } from 'express'
import type { Locale } from '../../domain/errors.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import { decryptParameters, encryptedNames, MAX_ENCRYPTED } from '../../requests/parameters/decrypt.ts'
import { type Parameters, text } from '../../requests/parameters/parameters.ts'
import { readBody, readParameters } from '../../requests/parameters/read.ts'
import { exchangeOf, merchantOf } from './exchange.ts'

/** How a form, JSON and multipart ask for English, which can be seen also in one that cannot be read. */
const ASKS_FOR_ENGLISH = /(?:^|&)locale=en(?:&|$)|"locale"\s*:\s*"en"|name="locale"\r\n\r\nen\r\n/i

/** Reads query and body into the exchange. After a refusal the connection is closed: more of the body may follow. */
export const receiveParameters: RequestHandler = async (request, response, next) => {
  const exchange = exchangeOf(response)
  const query = queryOf(request.originalUrl)
  let body: Buffer | undefined
  try {
    body = await readBody(request)
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers
    exchange.parameters = readParameters({ query, contentType, contentEncoding, body })
  } catch (error) {
    response.setHeader('Connection', 'close')
    // What the query asks for is known since the exchange began.
    if (body && ASKS_FOR_ENGLISH.test(body.toString('latin1'))) exchange.locale = 'en'
    throw error
  }
  exchange.locale = localeOf(exchange.parameters)
  next()
}

/** Replaces the parameters that `encrypted` lists by their clear values, before anything else reads them. */
export function decryptReceived(keys: KeyRing): RequestHandler {
  return async (_request, response, next) => {
    const exchange = exchangeOf(response)
    if (text(exchange.parameters, 'encrypted') !== undefined) {
      const { privateKey } = await keys.of(merchantOf(response).id)
      const most = exchange.loggedIn ? MAX_ENCRYPTED.loggedIn : MAX_ENCRYPTED.anybody
      exchange.encrypted = encryptedNames(exchange.parameters, most)
      exchange.parameters = decryptParameters(exchange.parameters, privateKey, most)
      exchange.locale = localeOf(exchange.parameters)
    }
    next()
  }
}

/** English when asked for, Swedish otherwise, unknown values included (observed: 13). */
function localeOf(parameters: Parameters): Locale {
  const { locale } = parameters
  return typeof locale === 'string' && locale.toLowerCase() === 'en' ? 'en' : 'sv'
}

function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}
