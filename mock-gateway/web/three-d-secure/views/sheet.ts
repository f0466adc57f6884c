import type { Locale } from '../../../domain/language/languages.ts'
import type { AddressOf } from '../../pages/assets.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { languageLinks } from '../../pages/language.ts'
import { layout } from '../../pages/layout.ts'
import type { BankTexts } from '../texts/words.ts'

/** Values for rendering every page of the bank. */
export interface BankContext {
  readonly locale: Locale
  readonly text: BankTexts
  /** Nonce of its scripts. */
  readonly nonce: string
  readonly addressOf: AddressOf
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
  { locale, text, addressOf }: BankContext,
  { title, hasAddress, head, main, scripts }: Sheet,
): SafeHtml =>
  layout({
    locale,
    title: `${title} – ${text.simulated}`,
    style: addressOf('hosted/views/payment.css'),
    head: html`${head}<link rel="stylesheet" href="${addressOf('three-d-secure/views/bank.css')}">
<link rel="icon" href="${addressOf('hosted/marks/padlock.svg')}" type="image/svg+xml">
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
