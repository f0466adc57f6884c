import type { RequestHandler } from 'express'
import { exchangeOf } from '../http/exchange.ts'
import { explainLanguage } from '../http/receive.ts'
import { pageLanguage } from './language.ts'

/** Sets the language of a payer's request; a payment's page may use its merchant's choice. */
export const pageLocale: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response)
  const { locale, lang } = exchange.parameters
  exchange.locale = pageLanguage({
    locale,
    lang,
    acceptLanguage: request.headers['accept-language'],
  })
  explainLanguage(response, 'locale', locale)
  explainLanguage(response, 'lang', lang)
  next()
}
