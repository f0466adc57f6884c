import type { RequestHandler } from 'express'
import { type Words, wordsIn } from '../../domain/language/languages.ts'
import { noAddress, notFound, writeRefusal } from '../http/refuse.ts'
import { pageLanguage } from '../pages/language.ts'
import { sendPage } from '../pages/page.ts'
import { SELF } from '../pages/policy.ts'
import { type HomeDependencies, isBrowser, rootOf } from './router.ts'

/**
 * Answers browsers at unknown addresses with a page of links, in the browser's language. Other
 * clients get the JSON error (specification: Errors).
 * @throws errors.not_found (196)
 */
export const unknownPage =
  ({ addresses, render }: Pick<HomeDependencies, 'addresses' | 'render'>): RequestHandler =>
  (request, response, next) => {
    if (!isBrowser(request)) return notFound(request, response, next)
    const locale = pageLanguage({ acceptLanguage: request.headers['accept-language'] })
    const text = Object.fromEntries(
      Object.entries(TEXTS).map(([name, words]) => [name, wordsIn(words, locale)]),
    )
    const refusal = noAddress(request)
    writeRefusal(response, refusal)
    return sendPage(response, render, {
      view: 'home/views/unknown',
      locale,
      data: { root: rootOf(addresses), text, error_name: refusal.entry.name },
      policy: { 'img-src': [SELF] },
    })
  }

const TEXTS: Readonly<Record<string, Words>> = {
  heading: {
    en: 'There is no page at this address',
    sv: 'Det finns ingen sida på den här adressen',
  },
  hint: {
    en: 'Check the address, or continue here:',
    sv: 'Kontrollera adressen, eller fortsätt här:',
  },
  home: { en: 'Home page', sv: 'Startsidan' },
  home_hint: {
    en: 'a first payment, and test cards',
    sv: 'en första betalning, och testkort (på engelska)',
  },
  console: { en: 'Console', sv: 'Konsolen' },
  console_hint: {
    en: 'every payment, step by step',
    sv: 'varje betalning, steg för steg (på engelska)',
  },
  docs: { en: 'Documentation', sv: 'Dokumentationen' },
  docs_hint: {
    en: 'guides, and every call of the API',
    sv: 'guider, och alla anrop i API:et (på engelska)',
  },
}
