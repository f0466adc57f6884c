import type { RequestHandler } from 'express'
import { type Locale, type Words, wordsIn } from '../../domain/language/languages.ts'
import { pageLanguage } from '../../domain/language/page-language.ts'
import { noAddress, notFound, writeRefusal } from '../http/refuse.ts'
import type { AddressOf } from '../pages/assets.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { layout } from '../pages/layout.ts'
import { sendHtml } from '../pages/page.ts'
import { SELF } from '../pages/policy.ts'
import { type HomeDependencies, isBrowser, rootOf } from './router.ts'

/**
 * Answers browsers at unknown addresses with a page of links, in the browser's language. Other
 * clients get the JSON error (specification: Errors).
 * @throws errors.not_found (196)
 */
export const unknownPage =
  ({
    addresses,
    assetAddresses,
  }: Pick<HomeDependencies, 'addresses' | 'assetAddresses'>): RequestHandler =>
  async (request, response, next) => {
    if (!isBrowser(request)) return notFound(request, response, next)
    const locale = pageLanguage({ acceptLanguage: request.headers['accept-language'] })
    const refusal = noAddress(request)
    writeRefusal(response, refusal)
    const page = unknownView(await assetAddresses(), locale, rootOf(addresses), refusal.entry.name)
    sendHtml(response, String(page), { policy: { 'img-src': [SELF] } })
  }

/** Renders the page. @param error name of its error */
export function unknownView(
  addressOf: AddressOf,
  locale: Locale,
  root: string,
  error: string,
): SafeHtml {
  const text = (name: keyof typeof TEXTS) => wordsIn(TEXTS[name], locale)
  return layout({
    locale,
    title: text('heading'),
    style: addressOf('console/views/console.css'),
    head: html`<link rel="icon" href="${addressOf('pages/icon.svg')}" type="image/svg+xml">`,
    body: html`<header><a class="brand" href="${root}/">Mondido gateway</a></header>
<main id="main" tabindex="-1" class="home">
<h1 data-error="${error}">${text('heading')}</h1>
<p>${text('hint')}</p>
<ul>
<li><a href="${root}/">${text('home')}</a>: ${text('home_hint')}</li>
<li><a href="${root}/console">${text('console')}</a>: ${text('console_hint')}</li>
<li><a href="${root}/docs">${text('docs')}</a>: ${text('docs_hint')}</li>
</ul>
</main>`,
  })
}

const TEXTS = {
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
} as const satisfies Readonly<Record<string, Words>>
