import { randomBytes } from 'node:crypto'
import { readSettings } from '../../../mock-gateway/domain/merchant.ts'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { insertMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import type { NewCustomerRow } from '../../../mock-gateway/storage/tables/customers.ts'
import type { MerchantRow } from '../../../mock-gateway/storage/tables/merchants.ts'
import type { Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import type { NewStoredCardRow } from '../../../mock-gateway/storage/tables/stored-cards.ts'
import type {
  NewPlanRow,
  NewSubscriptionRow,
} from '../../../mock-gateway/storage/tables/subscriptions.ts'
import {
  EMPTY_TRANSACTION,
  type NewTransactionRow,
} from '../../../mock-gateway/storage/tables/transactions.ts'
import type { NewWebhookRow } from '../../../mock-gateway/storage/tables/webhooks.ts'

/** Date of every row of these builders: 14 March 2026, noon UTC. */
export const NOW = Date.UTC(2026, 2, 14, 12)

const unlike = () => randomBytes(16).toString('hex')

let merchants = 0

/** Default settings. */
export const DEFAULTS = readSettings('{}')

export const merchantRow = (over: Partial<MerchantRow> = {}): MerchantRow => ({
  id: ++merchants,
  name: 'A shop',
  password_hash: 'scrypt$salt$key',
  secret: 'a secret',
  private_key: null,
  public_key: null,
  settings: DEFAULTS,
  setting_changes: {},
  webhook_overrides: {},
  previous_secret: null,
  previous_secret_until: null,
  previous_password_hash: null,
  previous_password_until: null,
  created_at: NOW,
  updated_at: NOW,
  ...over,
})

/**
 * Adds a merchant, so that a test has its own rows.
 * @returns the id of the merchant
 */
export async function newMerchant(queries: Queries): Promise<number> {
  const row = merchantRow()
  await insertMerchant(queries, row)
  return row.id
}

/** Returns an approved card payment of 10.00 SEK. */
export const transactionRow = (
  merchantId: number,
  over: Partial<NewTransactionRow> = {},
): NewTransactionRow => ({
  ...EMPTY_TRANSACTION,
  merchant_id: merchantId,
  amount: hundredths(1000),
  amount_text: '10.00',
  currency: 'sek',
  payment_ref: unlike(),
  card_holder: 'Anna Andersson',
  card_number: '411111******1111',
  card_expiry: '1230',
  card_type: 'visa',
  test: true,
  authorize: false,
  store_card: false,
  status: 'approved',
  transaction_type: 'credit_card',
  payment_method: 'credit_card',
  href_token: unlike(),
  org_auth_amount: hundredths(1000),
  payment_request: {},
  client: { user_agent: '', ip: '127.0.0.1', accept_language: '' },
  processed_at: NOW,
  created_at: NOW,
  updated_at: NOW,
  ...over,
})

/** Returns a webhook of the transaction that has not been called yet. */
export const webhookRow = (
  of: Pick<NewWebhookRow, 'merchant_id' | 'transaction_id'>,
  over: Partial<NewWebhookRow> = {},
): NewWebhookRow => ({
  ...of,
  type: 'CustomHttp',
  trigger: 'payment',
  url: null,
  http_method: null,
  data_format: null,
  email: null,
  response: null,
  request_body: null,
  delivery_id: null,
  created_at: NOW,
  ...over,
})

export const storedCardRow = (
  merchantId: number,
  over: Partial<NewStoredCardRow> = {},
): NewStoredCardRow => ({
  merchant_id: merchantId,
  customer_id: null,
  token: unlike(),
  card_holder: 'Anna Andersson',
  card_number: '411111******1111',
  card_expiry: '1230',
  card_type: 'visa',
  currency: 'sek',
  status: 'active',
  expires: Date.UTC(2030, 11, 31, 23, 59, 59),
  ref: null,
  test: true,
  recurring: false,
  transaction_id: null,
  created_at: NOW,
  updated_at: NOW,
  ...over,
})

export const customerRow = (
  merchantId: number,
  over: Partial<NewCustomerRow> = {},
): NewCustomerRow => ({
  merchant_id: merchantId,
  ref: null,
  metadata: null,
  created_at: NOW,
  updated_at: NOW,
  ...over,
})

/** Returns a plan of 99.00 SEK a month. */
export const planRow = (merchantId: number, over: Partial<NewPlanRow> = {}): NewPlanRow => ({
  merchant_id: merchantId,
  name: 'Monthly',
  description: '',
  interval: 1,
  interval_unit: 'months',
  prices: { sek: hundredths(9900) },
  setup_fees: {},
  periods: 0,
  trial_length: 0,
  status: 'active',
  created_at: NOW,
  updated_at: NOW,
  ...over,
})

/** Adds a subscription with its own plan and card. */
export async function newSubscription(
  queries: Queries,
  merchantId: number,
  over: Partial<NewSubscriptionRow> = {},
) {
  const plan = await insertRow(queries, 'plans', planRow(merchantId))
  const card = await insertRow(queries, 'stored_cards', storedCardRow(merchantId))
  return insertRow(queries, 'subscriptions', {
    merchant_id: merchantId,
    plan_id: plan.id,
    customer_id: null,
    stored_card_id: card.id,
    status: 'active',
    currency: 'sek',
    price: hundredths(Number.MAX_SAFE_INTEGER),
    quantity: 1_000_000,
    items: [],
    debt: hundredths(-500),
    interval: 1,
    interval_unit: 'months',
    total_periods: 12,
    period_count: 1,
    retry_count: 0,
    start_date: NOW,
    anchor_at: NOW,
    period_index: 1,
    attempts: 0,
    next_at: NOW + 1,
    metadata: null,
    test: true,
    created_at: NOW,
    updated_at: NOW,
    ...over,
  })
}
