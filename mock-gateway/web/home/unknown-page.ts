import type { RequestHandler } from 'express'
import {
  choosePageLanguage,
  getWords,
  type Locale,
  type Words,
} from '../../domain/language/languages.ts'
import { noAddress, notFound, writeRefusal } from '../http/refuse.ts'
import type { AddressOf } from '../pages/assets.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { sendHtml } from '../pages/page.ts'
import { renderMenuLink, renderSearchForm, renderSitePage, SITE_POLICY } from '../pages/site.ts'
import { getRoot, type HomeDependencies, isBrowser } from './router.ts'

/**
 * Answers browsers at unknown addresses with a page of links, in the browser's language. Other
 * clients get the JSON error (specification: Errors).
 * @throws errors.not_found (196)
 */
export const createUnknownPageHandler =
  ({
    addresses,
    assetAddresses,
  }: Pick<HomeDependencies, 'addresses' | 'assetAddresses'>): RequestHandler =>
  async (request, response, next) => {
    if (!isBrowser(request)) return notFound(request, response, next)
    const locale = choosePageLanguage({ acceptLanguage: request.headers['accept-language'] })
    const refusal = noAddress(request)
    writeRefusal(response, refusal)
    const page = renderUnknown(
      await assetAddresses(),
      locale,
      getRoot(addresses),
      refusal.entry.name,
    )
    sendHtml(response, String(page), { policy: SITE_POLICY })
  }

/** Renders the page. @param error name of its error */
export function renderUnknown(
  getAddress: AddressOf,
  locale: Locale,
  root: string,
  error: string,
): SafeHtml {
  const text = (words: Words) => getWords(words, locale)
  return renderSitePage(getAddress, {
    ...{ locale, root },
    title: text(HEADING),
    menu: html`<ul>${LINKS.map(([path, words]) => renderMenuLink(root + path, text(words), ''))}</ul>`,
    main: html`<h1 data-error="${error}">${text(HEADING)}</h1>
<p>${text(HINT)}</p>
${renderSearchForm(`${root}/docs`, text(SEARCH))}`,
  })
}

const HEADING = {
  en: 'There is no page at this address',
  sv: 'Det finns ingen sida på den här adressen',
}

const HINT = {
  en: 'Check the address, or continue with a page of the menu.',
  sv: 'Kontrollera adressen, eller fortsätt med en sida i menyn.',
}

const SEARCH = { en: 'Search the documentation', sv: 'Sök i dokumentationen (på engelska)' }

const LINKS = [
  ['/', { en: 'Home', sv: 'Startsidan (på engelska)' }],
  ['/console', { en: 'Console', sv: 'Konsolen (på engelska)' }],
  ['/docs', { en: 'Documentation', sv: 'Dokumentationen (på engelska)' }],
] as const
