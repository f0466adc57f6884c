import { hundredths } from '../domain/money/money.ts'
import type { RefundRow } from '../storage/tables/refunds.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import { EMPTY_TRANSACTION, type TransactionRow } from '../storage/tables/transactions.ts'

/** Id of a row that is not stored. */
const NO_ID = 0
const AMOUNT = hundredths(1000)
const CARD = {
  card_holder: 'Anna Andersson',
  card_number: '411111******1111',
  card_expiry: '1230',
  card_type: 'visa',
} as const

/** Time and owner of a sample. */
interface SampleContext {
  readonly merchantId: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** Creates a sample transaction, for a test webhook before the first payment. */
export const sampleTransaction = (
  { merchantId, now }: SampleContext,
  status: TransactionRow['status'],
): TransactionRow => ({
  ...EMPTY_TRANSACTION,
  ...CARD,
  id: NO_ID,
  merchant_id: merchantId,
  amount: AMOUNT,
  amount_text: '10.00',
  currency: 'sek',
  payment_ref: 'a-test',
  test: true,
  authorize: status === 'authorized',
  store_card: false,
  status,
  error_name: status === 'declined' ? 'errors.payment.declined' : null,
  transaction_type: 'credit_card',
  payment_method: 'credit_card',
  href_token: 'a-test',
  org_auth_amount: AMOUNT,
  payment_request: {},
  client: { user_agent: '', ip: '', accept_language: '' },
  tries: 0,
  processed_at: status === 'pending' ? null : now,
  created_at: now,
  updated_at: now,
  version: 0,
})

export const sampleRefund = ({ merchantId, now }: SampleContext): RefundRow => ({
  id: NO_ID,
  merchant_id: merchantId,
  transaction_id: NO_ID,
  amount: AMOUNT,
  reason: 'a test',
  ref: null,
  created_at: now,
})

/** @param now the card expires a year later */
export const sampleCard = ({ merchantId, now }: SampleContext): StoredCardRow => ({
  ...CARD,
  id: NO_ID,
  merchant_id: merchantId,
  customer_id: null,
  token: 'a-test',
  currency: 'sek',
  status: 'active',
  expires: now + 365 * 24 * 60 * 60_000,
  ref: null,
  test: true,
  recurring: false,
  transaction_id: null,
  created_at: now,
  updated_at: now,
})
