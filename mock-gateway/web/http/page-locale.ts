import type { Request, RequestHandler, Response } from 'express'
import { DEFAULT_LOCALE } from '../../domain/language/languages.ts'
import { pageLanguage } from '../../domain/language/page-language.ts'
import { exchangeOf } from './exchange.ts'
import { noticeLanguage } from './receive.ts'

/** Sets the language of a payer's request; a payment's page may use its merchant's choice. */
export const pageLocale: RequestHandler = (request, response, next) => {
  noteLocale(request, response)
  const { locale, lang } = exchangeOf(response).parameters
  noticeLanguage(response, 'locale', locale)
  noticeLanguage(response, 'lang', lang)
  next()
}

/**
 * Sets the language of an answer to a payer. A form that cannot be parsed has no parameters; then
 * the language in its address counts, also if another part of the address cannot be parsed.
 * @param merchant language that the merchant requested for the payment
 */
export function noteLocale(request: Request, response: Response, merchant?: unknown): void {
  const exchange = exchangeOf(response)
  const { searchParams } = new URL(request.originalUrl, 'http://gateway')
  const { locale = searchParams.get('locale'), lang = searchParams.get('lang') } =
    exchange.parameters
  const noted = exchange.locale === DEFAULT_LOCALE ? undefined : exchange.locale
  exchange.locale = pageLanguage({
    locale,
    lang,
    merchant: merchant ?? noted,
    acceptLanguage: request.headers['accept-language'],
  })
}
