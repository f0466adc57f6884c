import type { RequestHandler } from 'express'
import { pageLanguage } from '../../domain/language/page-language.ts'
import { exchangeOf } from './exchange.ts'
import { explainLanguage } from './receive.ts'

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
