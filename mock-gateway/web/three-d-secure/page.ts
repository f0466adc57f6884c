import { randomBytes } from 'node:crypto'
import type { ErrorRequestHandler, Response } from 'express'
import { descriptionIn } from '../../domain/errors/descriptions.ts'
import { type CatalogueEntry, errorBody } from '../../domain/errors/errors.ts'
import { type Locale, pageLanguage } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { getExchange } from '../http/exchange.ts'
import { noteLocale } from '../http/receive.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import type { AddressOf } from '../pages/assets.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { languageLinks, layout } from '../pages/layout.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, nonceSource, SELF } from '../pages/policy.ts'
import type { BankTexts } from './texts/sv.ts'
import { TEXTS } from './texts.ts'

/** A page of 3-D Secure. */
interface BankPage {
  readonly view: BankView
  /** The authentication of the page, which may be framed by the merchant's pages. */
  readonly row?: AuthenticationRow | undefined
  readonly merchant?: Merchant | undefined
  /** Additional origins that may frame it. */
  readonly framedBy?: readonly string[]
}

/** Returns the language of an authentication's page: the requested one, or else the merchant's. */
export function localeFor(response: Response, row: AuthenticationRow | undefined): Locale {
  const { parameters, locale } = getExchange(response)
  return pageLanguage({ locale: parameters.lang, merchant: row?.locale }, locale)
}

export type SendBankPage = (response: Response, page: BankPage) => Promise<void>

/**
 * Renders and sends a page. It sets no opener policy, which would separate the window from the
 * shop's page that waits for its message. A form may lead anywhere, since browsers apply the policy
 * to redirects after it too (our decision).
 */
export const pageSender =
  (assetAddresses: () => Promise<AddressOf>): SendBankPage =>
  async (response, { view, row, merchant, framedBy = [] }) => {
    const locale = localeFor(response, row)
    const nonce = randomBytes(16).toString('base64')
    const getAddress = await assetAddresses()
    sendHtml(response, String(view({ locale, text: TEXTS[locale], nonce, getAddress })), {
      policy: {
        'script-src': [nonceSource(nonce)],
        'img-src': [SELF],
        'connect-src': [SELF],
        'form-action': ANYWHERE,
        'frame-ancestors': [SELF, ...listFrames(row, merchant), ...framedBy],
      },
      headers: { 'X-Robots-Tag': 'noindex, nofollow' },
    })
  }

/**
 * The page that started the authentication has authenticated its order; a payment page is wherever
 * the merchant allows it.
 */
const listFrames = (
  row: AuthenticationRow | undefined,
  merchant: Merchant | undefined,
): readonly string[] => (row?.origin ? [row.origin] : (merchant?.settings.frame_parents ?? []))

/** Values for rendering every page of the bank. */
export interface BankContext {
  readonly locale: Locale
  readonly text: BankTexts
  /** Nonce of its scripts. */
  readonly nonce: string
  readonly getAddress: AddressOf
}

/** Renders a page of the bank. */
export type BankView = (context: BankContext) => SafeHtml

/** Parts of a page of the bank. */
interface Sheet {
  readonly title: string
  /** The page has an address of its own: it links to the other languages. */
  readonly hasAddress: boolean
  /** Scripts that run before the page is shown. */
  readonly head?: SafeHtml
  readonly main: SafeHtml
  /** Scripts that run after the page is shown. */
  readonly scripts?: SafeHtml | null
}

const BANK_ICON = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
<path fill="currentColor" d="M12 3 3 8v2h18V8z
  M5 11.5h2.2v6H5zm5.9 0h2.2v6h-2.2zm5.9 0H19v6h-2.2zM3 19h18v2H3z"/></svg>`

/** Renders a document of the simulated bank. */
export const sheet = (
  { locale, text, getAddress }: BankContext,
  { title, hasAddress, head, main, scripts }: Sheet,
): SafeHtml =>
  layout({
    locale,
    title: `${title} – ${text.simulated}`,
    style: getAddress('hosted/payment.css'),
    head: html`${head}<link rel="stylesheet" href="${getAddress('three-d-secure/bank.css')}">
<link rel="icon" href="${getAddress('hosted/padlock.svg')}" type="image/svg+xml">
`,
    body: html`<div class="sheet narrow bank">
<header>
<p class="who"><span class="initial">${BANK_ICON}</span><span>${text.simulated}</span></p>
${hasAddress ? languageLinks(locale) : null}
</header>
${main}
</div>
${scripts}`,
  })

/**
 * Data of an error page, in `response.locals.refused`: the link to continue, and the origins that
 * may frame the page.
 */
interface RefusedAuthentication extends Pick<BankPage, 'row' | 'merchant'> {
  readonly continue_url?: string
}

/** Answers people with a page and a link to continue, and robots with the error's JSON. */
export const refusalPage =
  (sendPage: SendBankPage): ErrorRequestHandler =>
  (error, request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected' || response.headersSent) return next(error)
    writeRefusal(response, refusal)
    noteLocale(request, response)
    const { locale } = getExchange(response)
    if (request.accepts(['html', 'json']) === 'json')
      return void response.json(errorBody(refusal.entry, locale))
    const { continue_url, row, merchant } = (response.locals.refused ?? {}) as RefusedAuthentication
    return sendPage(response, { view: messageView(refusal.entry, continue_url), row, merchant })
  }

/** Shows an error. @param continueUrl the payer's next address, if there is one */
export const messageView =
  (error: CatalogueEntry, continueUrl: string | undefined): BankView =>
  (context) => {
    const { locale, text, nonce } = context
    return sheet(context, {
      title: `${text.error_prefix} ${text.sorry}`,
      hasAddress: false,
      main: html`<main>
<h1>${text.sorry}</h1>
<p class="error" role="alert" data-error="${error.name}">${descriptionIn(error, locale)}</p>
${
  continueUrl
    ? html`<p>
<a class="button" href="${continueUrl}" data-testid="bank-continue">${text.go_on}</a></p>`
    : html`<p class="quiet">${text.sorry_hint}</p>
<p><button type="button" class="button" id="previous" hidden>${text.previous}</button></p>`
}
</main>`,
      scripts: continueUrl ? null : previousScript(nonce),
    })
  }

/** Shows the button that leads to the previous page. A new tab has none. */
const previousScript = (nonce: string): SafeHtml => html`<script nonce="${nonce}">
const button = document.getElementById('previous')
button.hidden = history.length < 2
button.addEventListener('click', () => history.back())
</script>`
