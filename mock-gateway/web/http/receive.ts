import type { RequestHandler, Response } from 'express'
import type { JsonValue } from '../../domain/json.ts'
import { asLocale, DEFAULT_LOCALE, type Locale } from '../../domain/language/languages.ts'
import { performance } from '../../domain/timers.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import {
  encryptedNames,
  encryptedValues,
  MAX_ENCRYPTED,
  withDecryptedValues,
} from '../../parsing/parameters/decrypt.ts'
import type { Decryptor } from '../../parsing/parameters/decryptor.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { readBody, readParameters } from '../../parsing/parameters/read.ts'
import { refuseGone } from '../../work/work.ts'
import { exchangeOf, merchantOf } from './exchange.ts'
import { addNotices } from './refuse.ts'

/** Detects a request for English in a form, JSON or multipart that cannot be parsed. */
const ASKS_FOR_ENGLISH = /(?:^|&)locale=en(?:&|$)|"locale"\s*:\s*"en"|name="locale"\r\n\r\nen\r\n/i

/**
 * Reads query and body into the exchange. After an error the connection is closed: more of the body
 * may follow.
 */
export const receiveParameters: RequestHandler = async (request, response, next) => {
  const exchange = exchangeOf(response)
  const query = queryOf(request.originalUrl)
  let body: Buffer | undefined
  try {
    body = await readBody(request)
    exchange.service.threadWatch.begin(response)
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers
    exchange.parameters = readParameters({ query, contentType, contentEncoding, body })
  } catch (error) {
    response.setHeader('Connection', 'close')
    // The query's language is already set.
    if (body && ASKS_FOR_ENGLISH.test(body.toString('latin1'))) exchange.locale = 'en'
    throw error
  }
  exchange.locale = localeOf(exchange.parameters)
  exchange.times.read = performance.now() - exchange.startedAt
  next()
}

/** Decrypts the parameters in `encrypted`, before anything else reads them. */
export function decryptReceived(keys: KeyRing, decryptor: Decryptor): RequestHandler {
  return async (request, response, next) => {
    const exchange = exchangeOf(response)
    const { parameters, loggedIn } = exchange
    if (text(parameters, 'encrypted') !== undefined) {
      const names = encryptedNames(
        parameters,
        loggedIn ? MAX_ENCRYPTED.loggedIn : MAX_ENCRYPTED.anybody,
      )
      exchange.encrypted = names
      if (names.size > 0) {
        const { privateKey } = await keys.of(merchantOf(response).id)
        const sealed = { values: encryptedValues(parameters, names), privateKey }
        const values = await decryptor.decrypt(sealed, () => refuseGone(request.socket))
        exchange.parameters = withDecryptedValues(parameters, names, values)
        exchange.locale = localeOf(exchange.parameters)
      }
    }
    next()
  }
}

/** Notices an unsupported language. */
export function noticeLanguage(
  response: Response,
  name: 'locale' | 'lang',
  sent: JsonValue | undefined,
): void {
  if (typeof sent !== 'string' || sent === '' || asLocale(sent)) return
  // Longer texts are not language codes, and may contain anything.
  const shown = /^[a-z_-]{1,12}$/i.test(sent) ? sent : null
  addNotices(response, [{ code: 'language.unsupported', facts: { name, sent: shown } }])
}

/** Returns the requested language, or the default for missing and unknown values (observed: 13). */
const localeOf = ({ locale }: Parameters): Locale => asLocale(locale) ?? DEFAULT_LOCALE

function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}
