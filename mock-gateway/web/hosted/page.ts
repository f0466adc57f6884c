import type { Response } from 'express'
import {
  asLocale,
  choosePageLanguage,
  formatTime,
  LANGUAGES,
  type Locale,
} from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { isBuiltInPageRequested } from '../../parsing/page-payment.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import { getExchange } from '../http/exchange.ts'
import type { KeptRequests } from '../http/kept-requests.ts'
import type { CallReceiver } from '../http/receive.ts'
import type { AddressOf } from '../pages/assets.ts'
import { html, renderHiddenFields, type SafeHtml } from '../pages/html.ts'
import { renderLayout } from '../pages/layout.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, type Policy, SELF } from '../pages/policy.ts'
import type { ReturnChecks } from './return-checks.ts'
import type { HostedTexts } from './texts/sv.ts'
import { TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'

/** Values for rendering every page of a payer. */
export interface HostedContext {
  /** Address of the page in its links; '' if it is the current address. */
  readonly page: string
  /** Token in its forms; null if their address contains it. */
  readonly pageToken: string | null
  /** See `PaymentVisit`; null without a payment. */
  readonly version: string | null
  readonly locale: Locale
  readonly text: HostedTexts
  readonly getAddress: AddressOf
  /**
   * Relative address of the page, for its forms. Without it, a browser without scripts keeps the
   * fragment of a followed link to a field.
   */
  readonly address: string
  /** Added to links that must not lead to the merchant's own page. */
  readonly builtIn: '' | '&template=none'
}

export interface PayerDocument {
  readonly title: string
  /** The order, above the content or in a column next to it. */
  readonly header?: SafeHtml
  readonly main: SafeHtml
  /** Shows the header as a column next to the content. */
  readonly isWide?: true
  readonly style?: string
  /** In browsers without scripts the page reloads itself. */
  readonly isWaiting?: true
}

/** A page of the payment page's module. */
export interface HostedPage {
  readonly view: (context: HostedContext) => PayerDocument
  readonly policy?: Policy
  /** The payment or payment link of the page. */
  readonly of?: PageOwner
}

/** A payment or payment link, with the merchant who gets the money. */
export interface PageOwner {
  readonly row: Partial<Pick<TransactionRow, 'payment_request'>>
  readonly merchant: Merchant
  readonly version?: string
}

export type SendHostedPage = (response: Response, page: HostedPage) => Promise<void>

export interface HostedDependencies extends CallReceiver {
  readonly assetAddresses: () => Promise<AddressOf>
  readonly keptRequests: Pick<KeptRequests, 'settle'>
  readonly returnChecks: ReturnChecks
  readonly templates: Templates
}

/** Dependencies of the steps at a payment's address. */
export interface PaymentPage extends HostedDependencies {
  readonly sendPage: SendHostedPage
  /** True if pages are shown at the address of the order form (setting `form_in_place`). */
  readonly inPlace: boolean
}

/** Creates the sender of pages. @param inPlace the payment of a page without an address of its own */
export const createPageSender =
  (assetAddresses: () => Promise<AddressOf>, inPlace?: PaymentVisit): SendHostedPage =>
  async (response, { view, policy, of }) => {
    const { parameters, merchant = of?.merchant } = getExchange(response)
    const locale = chooseLocale(response, of)
    const builtIn = isBuiltInPageRequested(parameters) ? '&template=none' : ''
    const context: HostedContext = {
      page: inPlace?.href ?? '',
      pageToken: inPlace?.row.href_token ?? null,
      version: of?.version ?? null,
      locale,
      text: TEXTS[locale],
      getAddress: await assetAddresses(),
      address: createFormAddress(response.req.originalUrl, asLocale(parameters.lang), builtIn),
      builtIn,
    }
    sendHtml(response, String(renderDocument(context, view(context))), {
      policy: { ...createPagePolicy(merchant), ...policy },
      headers: HEADERS,
    })
  }

/** Returns a page's language: the payer's choice, the merchant's, or the browser's, in this order. */
export function chooseLocale(response: Response, of?: PageOwner): Locale {
  const { parameters, locale: noted } = getExchange(response)
  const { locale, lang } = parameters
  return choosePageLanguage({ locale, lang, merchant: of?.row.payment_request?.locale }, noted)
}

/**
 * Returns the address for a page's forms: relative, since a proxy may have removed the start of its
 * path, and with known parameters only.
 * @example formAddress('/v1/form/abc?lang=sv&other=1', 'sv', '') // 'abc?lang=sv'
 */
function createFormAddress(address: string, lang: Locale | undefined, builtIn: string): string {
  const query = `${lang ? `&lang=${lang}` : ''}${builtIn}`.replace('&', '?')
  const { pathname } = new URL(address, 'http://gateway')
  return `${pathname.slice(pathname.lastIndexOf('/') + 1) || './'}${query}`
}

/**
 * Returns the policy of a page. Redirects after a form count as its action, and a shop may redirect
 * to any site: so forms may lead to any web address, which only the gateway decides (decision 57;
 * otherwise seen to fail in Chromium).
 */
function createPagePolicy(merchant: Merchant | undefined): Policy {
  const { logo, frame_parents = [] } = merchant?.settings ?? {}
  const logoSource = logo?.startsWith('https:') ? new URL(logo).origin : 'data:'
  return {
    'script-src': [SELF],
    'img-src': [SELF, ...(logo ? [logoSource] : [])],
    'connect-src': [SELF],
    'form-action': ANYWHERE,
    'frame-ancestors': frame_parents,
  }
}

export const HEADERS: Readonly<Record<string, string>> = {
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
}

/** Renders a document with our styles and our script. */
function renderDocument(
  context: HostedContext,
  { title, header, main, isWide, style, isWaiting }: PayerDocument,
): SafeHtml {
  const { locale, getAddress, pageToken } = context
  // Our script opens a page in place again with this form.
  const inPlace =
    pageToken &&
    html`<form method="post" id="in-place">
${renderHiddenFields({ page_token: pageToken, action: 'after_bank', lang: locale })}</form>`
  const reload = html`<noscript><meta http-equiv="refresh" content="10"></noscript>
`
  return renderLayout({
    locale,
    title,
    style: getAddress('hosted/payment.css'),
    head: html`<link rel="icon" href="${getAddress('hosted/padlock.svg')}"
  type="image/svg+xml">
<script src="${getAddress('hosted/scripts/payment.js')}" defer></script>
${isWaiting ? reload : null}${
  style &&
  html`<link rel="stylesheet" href="${getAddress(style)}">
`
}`,
    body: html`<div class="${isWide ? 'sheet' : 'sheet narrow'}">
${header}
${main}
</div>${inPlace}`,
  })
}

/** Renders the hidden fields of a payment's form. */
export const renderFormFields = (
  { pageToken, version }: HostedContext,
  values: Parameters<typeof renderHiddenFields>[0] = {},
): SafeHtml => renderHiddenFields({ page_token: pageToken, version, ...values })

/** Renders a form that is one quiet button. */
export const renderActionForm = (
  context: HostedContext,
  action: 'back' | 'cancel',
  label: string,
): SafeHtml =>
  html`<form method="post" action="${context.address}" class="leave">
${renderFormFields(context, { action })}<button class="plain">${label}</button></form>`

/** Renders the link back to the shop; nothing without an address. */
export const renderBackLink = ({ text }: HostedContext, back: string | null): SafeHtml | null =>
  back === null
    ? null
    : html`<p class="screen"><a class="button" href="${back}">${text.back}</a></p>`

/**
 * Renders a time in UTC, which our script shows in the payer's time zone.
 * @param at epoch milliseconds
 */
export const renderLocalTime = (at: number, locale: Locale): SafeHtml =>
  html`<time datetime="${new Date(at).toISOString()}"
  data-numbers="${LANGUAGES[locale].numbers}">${formatTime(at, locale)}</time>`
