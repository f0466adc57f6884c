import type { TransactionStatus } from '../../contract/transaction.ts'
import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError, type Locale } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { STATES } from '../../domain/states.ts'
import { CARD_DATA_FIELDS } from '../../requests/sent-card.ts'
import type { TransactionRow } from '../../storage/transactions.ts'
import type { Page } from './page.ts'
import { returnAddress } from './return-address.ts'

/** The form where the payer types the card; with a refusal, the form once more and why. */
export const cardForm = (row: TransactionRow, merchant: Merchant, refusal?: GatewayError): Page => ({
  view: 'card-form',
  data: {
    ...payment(row, merchant),
    error: refusal ? describe(refusal) : null,
    error_name: refusal?.entry.name ?? null,
    error_field: refusal ? fieldOf(refusal) : null,
  },
  locale: localeOf(row),
  leadsTo: [row.success_url, row.error_url].flatMap((url) => (url ? [new URL(url).origin] : [])),
})

/** What a payer sees who comes back to a payment that is made. */
const receipt = (row: TransactionRow, merchant: Merchant, addresses: Addresses): Page => ({
  view: 'receipt',
  data: { ...payment(row, merchant), back: row.success_url ? returnAddress(row, merchant, addresses) : null },
  locale: localeOf(row),
})

/** What a payer sees while a payment is under way elsewhere: that it is, and that the shop knows more. */
const underWay: PageOfPayment = (row) => ({
  ...message(new GatewayError(STATES[row.status].refusal)),
  locale: localeOf(row),
})

const form: PageOfPayment = (row, merchant) => cardForm(row, merchant)

type PageOfPayment = (row: TransactionRow, merchant: Merchant, addresses: Addresses) => Page

/** The page at the address of a payment, by where the payment stands. */
export const PAGES: Readonly<Record<TransactionStatus, PageOfPayment>> = {
  pending: form,
  '3ds pending': underWay,
  authorized: receipt,
  'capture pending': receipt,
  approved: receipt,
  declined: form,
  failed: form,
}

/** Something that is not about one payment. */
export const message = (refusal: GatewayError): Page => ({
  view: 'message',
  data: { error: describe(refusal), error_name: refusal.entry.name },
})

function payment(row: TransactionRow, merchant: Merchant) {
  return {
    merchant: merchant.name,
    amount: row.amount_text,
    currency: row.currency.toUpperCase(),
    payment_ref: row.payment_ref,
    test: row.test,
  }
}

/** The language that the merchant asked for when it prepared the payment. */
const localeOf = ({ payment_request }: TransactionRow): unknown => payment_request.locale

/** Errors whose name does not begin with the field that the payer has to look at. */
const FIELD_OF: Readonly<Record<string, string>> = {
  'errors.card.expired': 'card_expiry',
  'errors.card_type.unsupported': 'card_number',
}

/** The field of the form that an error is about; null when it is about none. */
function fieldOf({ entry: { name } }: GatewayError): string | null {
  const named = CARD_DATA_FIELDS.find((field) => name.startsWith(`errors.${field}.`))
  return named ?? FIELD_OF[name] ?? null
}

/** The description in each language; the template picks its own. */
function describe({ description, entry }: GatewayError): Readonly<Record<Locale, string>> {
  return { sv: description ?? entry.sv, en: description ?? entry.en }
}
