import { randomBytes } from 'node:crypto'
import { errorBody, findEntryByName } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { html } from '../pages/html.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, formatNonceSource, LOOK_OF_MERCHANT, type Policy } from '../pages/policy.ts'
import { chooseAddress, hasOwnPage } from './addresses.ts'
import { chooseLocale, HEADERS, type HostedDependencies } from './page.ts'
import { TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'

/** Answers with the merchant's own page of a payment; false if it has none that can be rendered. */
export async function sendOwnPage(
  { templates, assetAddresses }: HostedDependencies,
  visit: PaymentVisit,
): Promise<boolean> {
  const { response, row, merchant, href } = visit
  if (!hasOwnPage(response, row)) return false
  const { parameters } = getExchange(response)
  const locale = chooseLocale(response, visit)
  const { error_name } = parameters
  // Looked up, so that no text of the address is repeated.
  const named = typeof error_name === 'string' ? findEntryByName(error_name) : undefined
  const error = named ? errorBody(named, locale) : null
  const nonce = randomBytes(16).toString('base64')
  const page = await templates.page(createWork(response, merchant), row, { locale, error, nonce })
  if (page === undefined) return false
  const { own_page_trouble, own_page_way_out } = TEXTS[locale]
  const script = (await assetAddresses())('hosted/scripts/own-page.js')
  const link = chooseAddress(href, { ...parameters, template: 'none' })
  const watch = html`<script nonce="${nonce}" src="${script}"
  data-report="${href}/trouble" data-link="${link}" data-says="${own_page_trouble}"
  data-goes="${own_page_way_out}" data-lang="${locale}"></script>`
  sendHtml(response, withScript(page, String(watch)), {
    policy: ownPagePolicy(nonce, merchant),
    headers: HEADERS,
  })
  return true
}

/** Comments may come before it; with anything else browsers use quirks mode. */
const DOCTYPE = /^(?:\s|\uFEFF|<!--.*?-->)*(?:<!doctype[^>]*>)?/is

/** Inserts a script before all others, where browsers start the head. */
function withScript(page: string, script: string): string {
  const [begins = ''] = DOCTYPE.exec(page) ?? []
  return begins + script + page.slice(begins.length)
}

/**
 * Policy of a merchant's own page, which may be old: its scripts have the nonce and may load
 * others, and its event handlers run (decision 58). Text printed into the page cannot run.
 */
const ownPagePolicy = (nonce: string, { settings }: Merchant): Policy => ({
  'script-src': [formatNonceSource(nonce), "'strict-dynamic'", "'unsafe-eval'"],
  'script-src-attr': ["'unsafe-inline'"],
  htmlOfTexts: true,
  ...LOOK_OF_MERCHANT,
  'connect-src': ANYWHERE,
  'frame-src': ANYWHERE,
  'form-action': ANYWHERE,
  'frame-ancestors': settings.frame_parents,
})
