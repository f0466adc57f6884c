import type { Addresses } from '../domain/addresses.ts'
import { formatAmount } from '../domain/money/money.ts'
import { endOfLink } from '../domain/order/payment-link.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import { wireTime } from './time.ts'

const timeOrNull = (at: number | null) => (at === null ? null : wireTime(at))

/** Builds the public address of a payment link. */
const linkUrl = ({ token }: PaymentLinkRow, { pay }: Addresses): string => `${pay}/pay/${token}`

/**
 * Serializes a payment link for the control API and the console (our decision).
 * @param link.taken number of its payments that are made or in progress
 * @param now epoch milliseconds
 */
export function presentPaymentLink(
  { row, taken }: { readonly row: PaymentLinkRow; readonly taken: number },
  addresses: Addresses,
  now: number,
) {
  const { id, merchant_id, amount, currency, payment_ref, description, plan_id, test, uses } = row
  return {
    id,
    created_at: wireTime(row.created_at),
    merchant_id,
    url: linkUrl(row, addresses),
    status: endOfLink(row, taken, now) ?? ('active' as const),
    amount: formatAmount(amount),
    currency,
    payment_ref,
    description,
    plan_id,
    test,
    success_url: row.success_url,
    error_url: row.error_url,
    expires_at: timeOrNull(row.expires_at),
    uses,
    used: taken,
    closed_at: timeOrNull(row.closed_at),
  }
}
