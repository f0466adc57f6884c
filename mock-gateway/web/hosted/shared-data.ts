import type { Locale } from '../../domain/language/languages.ts'
import type { MerchantSettings } from '../../domain/merchant.ts'
import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { TEXTS } from './texts.ts'

/** Fields that an invoice always requires. */
const OF_INVOICE = ['email', 'phone'] as const

/**
 * Lists the data that the shop receives about a payer, as sentences, before the payment. It matches
 * `presentTransaction`: data of the method, of the page's fields, and of the browser.
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
