import { randomBytes } from 'node:crypto'
import type { ErrorRequestHandler, Response } from 'express'
import { getDescription } from '../../domain/errors/catalogue.ts'
import { type CatalogueEntry, errorBody } from '../../domain/errors/errors.ts'
import { choosePageLanguage, type Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { getExchange } from '../http/exchange.ts'
import { noteLocale } from '../http/receive.ts'
import { asForeseenError, writeRefusal } from '../http/refuse.ts'
import type { AddressOf } from '../pages/assets.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { renderLanguageLinks, renderLayout } from '../pages/layout.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, formatNonceSource, SELF } from '../pages/policy.ts'
import type { BankTexts } from './texts/sv.ts'
import { TEXTS } from './texts.ts'

/** Returns the language of an authentication's page: the requested one, or else the merchant's. */
export function chooseLocale(response: Response, merchants?: string | null): Locale {
  const { parameters, locale } = getExchange(response)
  return choosePageLanguage({ locale: parameters.lang, merchant: merchants }, locale)
}

/** The authentication of a page, which may be framed by the merchant's pages. */
interface PageOwner {
  readonly row?: Pick<AuthenticationRow, 'origin' | 'locale'>
  readonly merchant?: Merchant
}

export type SendBankPage = (response: Response, view: BankView, of?: PageOwner) => Promise<void>

/**
 * Creates the sender of pages. It sets no opener policy, which would separate the window from the
 * shop's page that waits for its message. A form may lead anywhere, since browsers apply the policy
 * to redirects after it too (our decision).
 */
export const createPageSender =
  ({ assetAddresses }: ThreeDSecureDependencies): SendBankPage =>
  async (response, view, { row, merchant } = {}) => {
    const locale = chooseLocale(response, row?.locale)
    const nonce = randomBytes(16).toString('base64')
    const context = { locale, text: TEXTS[locale], nonce, getAddress: await assetAddresses() }
    // The page that started the authentication has authenticated its order; a payment page is
    // wherever the merchant allows it.
    const frames = row?.origin ? [row.origin] : (merchant?.settings.frame_parents ?? [])
    sendHtml(response, String(renderPage(context, view(context))), {
      policy: {
        'script-src': [formatNonceSource(nonce)],
        'img-src': [SELF],
        'connect-src': [SELF],
        'form-action': ANYWHERE,
        'frame-ancestors': [SELF, ...frames],
      },
      headers: { 'X-Robots-Tag': 'noindex, nofollow' },
    })
  }

export interface ThreeDSecureDependencies {
  readonly authenticator: Authenticator
  readonly assetAddresses: () => Promise<AddressOf>
}

export interface BankContext {
  readonly locale: Locale
  readonly text: BankTexts
  readonly nonce: string
  readonly getAddress: AddressOf
}

interface BankPage {
  readonly title: string
  readonly main: SafeHtml
  /** The page has no address of its own, and so no links to the other languages. */
  readonly isAnswer?: true
  /** Scripts that run before the page is shown. */
  readonly head?: SafeHtml
  /** Scripts that run after the page is shown. */
  readonly scripts?: SafeHtml
}

export type BankView = (context: BankContext) => BankPage

const BANK_ICON = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
<path fill="currentColor" d="M12 3 3 8v2h18V8z
  M5 11.5h2.2v6H5zm5.9 0h2.2v6h-2.2zm5.9 0H19v6h-2.2zM3 19h18v2H3z"/></svg>`

export const renderPage = (
  { locale, text, getAddress }: BankContext,
  { title, main, isAnswer, head, scripts }: BankPage,
): SafeHtml =>
  renderLayout({
    locale,
    title: `${title} – ${text.simulated}`,
    style: getAddress('three-d-secure/bank.css'),
    head: html`${head}<link rel="icon" href="${getAddress('hosted/padlock.svg')}" type="image/svg+xml">
`,
    body: html`<div class="sheet narrow">
<header>
<p class="who"><span class="initial">${BANK_ICON}</span><span>${text.simulated}</span></p>
${isAnswer ? null : renderLanguageLinks(locale)}
</header>
${main}
</div>
${scripts}`,
  })

/** Answers people with a page, and robots with the error's JSON. */
export const refusalPage =
  (sendPage: SendBankPage): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) return next(error)
    const refusal = asForeseenError(error)
    writeRefusal(response, refusal)
    noteLocale(request, response)
    if (wantsJson(response))
      return void response.json(errorBody(refusal.entry, getExchange(response).locale))
    const { continue_url, ...of } = (response.locals.refused ?? {}) as RefusedPage
    return sendPage(response, renderMessage(refusal.entry, continue_url), of)
  }

/** Returns true for robots, which get JSON. */
export const wantsJson = ({ req }: Response): boolean => req.accepts(['html', 'json']) === 'json'

/** Data of an error page, in `response.locals.refused`, with the payer's next address. */
type RefusedPage = PageOwner & { readonly continue_url?: string }

/** Shows an error. @param continueUrl the payer's next address, if there is one */
export const renderMessage =
  (error: CatalogueEntry, continueUrl: string | undefined): BankView =>
  ({ locale, text, nonce }) => {
    const isEnded = error.name === 'errors.not_found'
    const heading = isEnded ? text.ended : text.sorry
    const reason = isEnded ? text.ended_hint : getDescription(error, locale)
    return {
      title: `${text.error_prefix} ${heading}`,
      isAnswer: true,
      main: html`<main>
<h1>${heading}</h1>
<p class="${isEnded ? 'callout' : 'callout bad'}" role="alert" data-error="${error.name}">${reason}</p>
${
  continueUrl
    ? html`<p>
<a class="button" href="${continueUrl}" data-testid="bank-continue">${text.go_on}</a></p>`
    : html`<p class="quiet">${text.sorry_hint}</p>
<p><button type="button" class="button" id="previous" hidden>${text.previous}</button></p>
<script nonce="${nonce}">
// A new tab has no previous page.
const button = document.getElementById('previous')
button.hidden = history.length < 2
button.addEventListener('click', () => history.back())
</script>`
}
</main>`,
    }
  }
