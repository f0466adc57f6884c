import { LANGUAGES, type Locale } from '../../../domain/language/languages.ts'
import { timeText } from '../../../domain/language/time-text.ts'
import type { AddressOf } from '../../pages/assets.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { languageLinks } from '../../pages/language.ts'
import { layout } from '../../pages/layout.ts'
import type { OrderView } from '../order.ts'
import type { HostedTexts } from '../texts/words.ts'

/** Address and token of a page that is shown at the address of the order form. */
export interface PagePlace {
  /** Address of the page in its links; '' if it is the current address. */
  readonly page: string
  /** Token in its forms; null if their address contains it. */
  readonly pageToken: string | null
}

/** Values for rendering every page of a payer. */
export interface HostedContext extends PagePlace {
  readonly locale: Locale
  readonly text: HostedTexts
  readonly addressOf: AddressOf
  readonly requestId: string
  /**
   * Relative address of the page, for its forms. Without it, a browser without scripts keeps the
   * fragment of a followed link to a field.
   */
  readonly address: string
  /** Added to links that must not lead to the merchant's own page. */
  readonly builtIn: '' | '&template=none'
}

/** Renders a page of a payer. */
export type HostedView = (context: HostedContext) => SafeHtml

/** Renders a document with our styles and our script. */
export const payerDocument = (
  context: HostedContext,
  {
    title,
    head,
    body,
  }: { readonly title: string; readonly head?: SafeHtml; readonly body: SafeHtml },
): SafeHtml => {
  const { locale, addressOf, pageToken } = context
  return layout({
    locale,
    title,
    style: addressOf('hosted/views/payment.css'),
    head: html`<link rel="icon" href="${addressOf('hosted/marks/padlock.svg')}"
  type="image/svg+xml">
<script src="${addressOf('hosted/scripts/payment.js')}" defer></script>
${head}`,
    body: html`${body}${pageToken && inPlaceForm(context)}`,
  })
}

/** Renders the hidden form with which our script opens a page in place again. */
const inPlaceForm = (context: HostedContext): SafeHtml =>
  html`<form method="post" id="in-place">${tokenField(context)}
${hiddenFields({ action: 'after_bank', lang: context.locale })}</form>`

/** Reloads a waiting page in browsers without scripts. */
export const RELOAD: SafeHtml = html`<noscript><meta http-equiv="refresh" content="10"></noscript>
`

/** Renders the merchant, the order, and links to the page in its other languages. */
export const header = (context: HostedContext, order: OrderView): SafeHtml => {
  const { locale, text, page, builtIn } = context
  const { merchant, logo, initial, test, payment_ref } = order
  return html`<header>
<p class="who">${
    logo
      ? html`<img src="${logo}" alt="${merchant}" height="36">`
      : html`<span class="initial" aria-hidden="true">${initial}</span>`
  }<span>${logo ? null : merchant}
${payment_ref && html`<small>${orderName(context, order)}</small>`}</span>${
    test ? html`<span class="badge">${text.test_badge}</span>` : null
  }</p>
${languageLinks(locale, page, builtIn)}
</header>`
}

/** Returns the name of an order. One such as "order-1038" needs no word before it. */
export const orderName = ({ text }: HostedContext, { payment_ref }: OrderView): string =>
  payment_ref.toLowerCase().startsWith(text.order.toLowerCase())
    ? payment_ref
    : `${text.order} ${payment_ref}`

/** Renders the amount for people and for programs. */
export const amountLine = ({ amount, amount_value }: OrderView): SafeHtml =>
  html`<p class="amount"><data value="${amount_value}">${amount}</data></p>`

/** Renders the hidden field of a page that has no address of its own. */
export const tokenField = ({ pageToken }: PagePlace): SafeHtml =>
  hiddenFields({ page_token: pageToken })

/** Renders a form that is one quiet button. */
export const actionForm = (
  context: HostedContext,
  { action, version, label }: { readonly [Name in 'action' | 'version' | 'label']: string },
): SafeHtml =>
  html`<form method="post" action="${context.address}" class="leave">${tokenField(context)}
${hiddenFields({ action, version })}<button class="plain">${label}</button></form>`

/** Renders the button that leaves the payment. */
export const leaveForm = (
  context: HostedContext,
  { merchant }: OrderView,
  version: string,
): SafeHtml =>
  actionForm(context, { action: 'cancel', version, label: `${context.text.cancel} ${merchant}` })

/** Renders the link back to the shop; nothing without an address. */
export const backLink = ({ text }: HostedContext, back: string | null): SafeHtml | null =>
  back === null
    ? null
    : html`<p class="screen"><a class="button" href="${back}">${text.back}</a></p>`

/** Renders a hidden button that leads to the previous page. The page's script shows it. */
export const previousButton = ({ text }: HostedContext): SafeHtml =>
  html`<p><button type="button" class="button" id="previous" hidden>${text.previous}</button></p>`

/**
 * Renders a time in UTC, which our script shows in the payer's time zone.
 * @param at epoch milliseconds
 */
export function localTime(at: number, locale: Locale): SafeHtml {
  const { numbers } = LANGUAGES[locale]
  const datetime = new Date(at).toISOString()
  const shown = timeText(at, locale)
  return html`<time datetime="${datetime}" data-numbers="${numbers}">${shown}</time>`
}
