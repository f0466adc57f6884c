import type { Locale } from '../../domain/language/languages.ts'
import type { MerchantSettings } from '../../domain/merchant.ts'
import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { TEXTS } from './texts.ts'

/** What an invoice asks of every payer, by the names of its fields. */
const OF_INVOICE = ['email', 'phone'] as const

/**
 * What the shop gets to know of a payer who pays in this way, as sentences: the page says so before
 * anybody pays. It is what the transaction shows (`presentTransaction`): of the method, of what the
 * page asks, and of the browser.
 */
export function listSharedData(
  method: PageMethod,
  { payer_details }: Pick<MerchantSettings, 'payer_details'>,
  locale: Locale,
): readonly string[] {
  const texts = TEXTS[locale]
  const fields = method === 'invoice' ? OF_INVOICE : payer_details
  const labels = fields.map((field) => texts[field])
  return [
    texts.methods[method].follows,
    ...(labels.length > 0 ? [`${texts.follows_typed} ${labels.join(', ')}`] : []),
    texts.follows_browser,
  ]
}
