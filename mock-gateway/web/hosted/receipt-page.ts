import type { Addresses } from '../../domain/addresses.ts'
import type { Locale } from '../../domain/errors.ts'
import { isNested, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { hundredths } from '../../domain/money.ts'
import type { RefundRow } from '../../storage/refunds.ts'
import type { TransactionParts } from '../../storage/transaction-parts.ts'
import { moneyText, timeText } from './money.ts'
import type { Page } from './page.ts'
import { returnAddress } from './return-address.ts'
import type { Visit } from './visit.ts'

/** What a payer sees who comes back to a payment that is made. */
export const receipt = ({ row, merchant }: Visit, { refunds }: TransactionParts, addresses: Addresses): Page => ({
  view: 'receipt',
  of: { row, merchant },
  data: (locale) => ({
    reserved: row.status === 'authorized',
    paid_at: row.processed_at === null ? null : `${timeText(row.processed_at, locale)} UTC`,
    paid_at_value: row.processed_at === null ? null : new Date(row.processed_at).toISOString(),
    card: row.card_number,
    card_type: row.card_type?.replaceAll('_', ' ').toUpperCase() ?? null,
    transaction_id: row.id,
    refunds: refunds.map((refund) => shownRefund(refund, row.currency, locale)),
    refunded: refunds.length === 0 ? null : moneyText(sumOf(refunds), row.currency, locale),
    details: detailsOf(row.metadata),
    back: row.success_url ? returnAddress(row, merchant, addresses) : null,
  }),
})

const shownRefund = ({ amount, reason }: RefundRow, currency: Visit['row']['currency'], locale: Locale) => ({
  amount: moneyText(amount, currency, locale),
  reason,
})

const sumOf = (refunds: readonly RefundRow[]) => hundredths(refunds.reduce((sum, { amount }) => sum + amount, 0))

/** Rows of metadata that a receipt shows (our decision). */
const MOST_DETAILS = 50

/** Metadata as a table: the path of every value, and the value. What steers a test is not the payer's. */
function detailsOf(metadata: JsonObject | null): { readonly name: string; readonly value: string }[] {
  const { service_instructions: _ofTheTest, ...shown } = metadata ?? {}
  return leaves(shown, '').slice(0, MOST_DETAILS)
}

function leaves(value: JsonValue | undefined, name: string): { readonly name: string; readonly value: string }[] {
  if (value === null || value === undefined || value === '') return []
  if (!isNested(value)) return [{ name, value: String(value) }]
  return Object.entries(value).flatMap(([key, member]) => leaves(member, name === '' ? key : `${name}.${key}`))
}
