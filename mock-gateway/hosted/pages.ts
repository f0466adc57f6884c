import type { GatewayError, Locale } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { Page } from './page.ts'
import { returnAddress } from './return-address.ts'

/** The form where the payer types the card; with a refusal, the form once more and why. */
export const cardForm = (row: TransactionRow, merchant: Merchant, refusal?: GatewayError): Page => ({
  template: 'card-form',
  data: {
    ...payment(row, merchant),
    error: refusal ? describe(refusal) : null,
    error_name: refusal?.entry.name ?? null,
  },
  leadsTo: [row.success_url, row.error_url].flatMap((url) => (url ? [new URL(url).origin] : [])),
})

/** What a payer sees who comes back to a payment that is made. */
export const receipt = (row: TransactionRow, merchant: Merchant): Page => ({
  template: 'receipt',
  data: { ...payment(row, merchant), back: row.success_url ? returnAddress(row, merchant) : null },
})

/** Something that is not about one payment. */
export const message = (refusal: GatewayError): Page => ({
  template: 'message',
  data: { error: describe(refusal) },
})

function payment(row: TransactionRow, merchant: Merchant) {
  return {
    merchant: merchant.name,
    amount: row.amount_text,
    currency: row.currency.toUpperCase(),
    payment_ref: row.payment_ref,
    test: row.test === 1,
  }
}

/** The description in each language; the template picks its own. */
function describe({ description, entry }: GatewayError): Readonly<Record<Locale, string>> {
  return { sv: description ?? entry.sv, en: description ?? entry.en }
}
