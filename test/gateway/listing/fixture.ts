import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import type { Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { transactionRow } from '../storage/new-rows.ts'
import type { Kinds, ListedRow } from './oracle.ts'

/** Fields by which transactions can be filtered (specification: Filterable transaction fields). */
export const TRANSACTION_KINDS: Kinds = {
  amount: 'money',
  card_holder: 'text',
  card_number: 'text',
  card_type: 'word',
  created_at: 'date',
  currency: 'word',
  customer_id: 'number',
  error_url: 'text',
  href_token: 'token',
  id: 'number',
  payment_ref: 'text',
  status: 'word',
  stored_card_id: 'number',
  subscription_id: 'number',
  success_url: 'text',
  template_id: 'number',
  test: 'flag',
  transaction_type: 'word',
  updated_at: 'date',
}

/** Fields by which stored cards can be filtered (specification: Filterable stored card fields). */
export const STORED_CARD_KINDS: Kinds = {
  card_holder: 'text',
  card_number: 'text',
  card_type: 'word',
  created_at: 'date',
  currency: 'word',
  customer_id: 'number',
  expires: 'date',
  id: 'number',
  status: 'word',
  test: 'flag',
  token: 'text',
  updated_at: 'date',
}

/**
 * Texts with characters that have a meaning in SQL, in its patterns or in the gateway's filters, in
 * upper and lower case, beyond ASCII and beyond 16 bits.
 */
export const TEXTS = [
  'order-1',
  'ORDER-1',
  'order-10',
  'ord%er',
  'ord_er',
  'ordXer',
  'ord?er',
  'ord[e]r',
  'ord[!e]r',
  'ord\\er',
  'ord\\%er',
  '100%',
  '*',
  '**',
  '%',
  '_',
  '\\',
  "o'r",
  'o"r',
  "'; drop table transactions; --",
  'åäö',
  'ÅÄÖ',
  'æther',
  'a😀b',
  'a\uffffb',
  ' order-1',
  'order 1',
  '..',
  'null',
  '0',
] as const

const DATES = [
  Date.UTC(2024, 1, 29, 12),
  Date.UTC(2025, 11, 31, 23, 59, 59, 999),
  Date.UTC(2026, 0, 1),
  Date.UTC(2026, 2, 14),
  Date.UTC(2026, 2, 14, 23, 59, 59, 999),
  Date.UTC(2026, 2, 15),
  Date.UTC(2026, 2, 15, 8, 30),
] as const

/**
 * Amounts of the rows. This list and the other lists have different lengths, so that all
 * combinations of values occur.
 */
const AMOUNTS = [...[0, 1, 99, 100, 1050, 1051, 999_999_999_99].map(hundredths), null]
const IDS = [null, 1, 2, 10, Number.MAX_SAFE_INTEGER] as const
const STATUSES = [
  'pending',
  '3ds pending',
  'authorized',
  'capture pending',
  'approved',
  'declined',
  'failed',
] as const
const BRANDS = ['visa', 'mastercard', 'debit_mastercard', 'stored_card'] as const
const CURRENCIES = ['sek', 'eur', 'usd'] as const
const URLS = [
  null,
  'https://shop.example/a?b=c',
  'https://shop.example/A',
  'https://a_b.example/%20',
] as const
const NUMBERS = ['411111******1111', '555555******4444', '400000******0002'] as const
const KINDS = ['credit_card', 'stored_card', 'recurring', null] as const

const NO_CARD = { card_holder: null, card_number: null, card_expiry: null, card_type: null }

const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T

/** Number of rows of each merchant: every text once, some texts twice. */
export const ROWS = 41

/**
 * Adds rows of several merchants in turn, so that their ids alternate.
 * @returns the rows of the first merchant
 */
export async function addTransactions(
  queries: Queries,
  merchants: readonly number[],
): Promise<ListedRow[]> {
  const mine: ListedRow[] = []
  for (let i = 0; i < ROWS; i++) {
    for (const [nth, merchantId] of merchants.entries()) {
      const [amount, card_number, card_type] = [pick(AMOUNTS, i), pick(NUMBERS, i), pick(BRANDS, i)]
      const again = i < TEXTS.length ? '' : `${i}`
      const row = await insertTransaction(
        queries,
        transactionRow(merchantId, {
          amount,
          amount_text: amount === null ? 'ten' : String(amount / 100),
          ...(i % 7 === 3 ? NO_CARD : { card_holder: pick(TEXTS, i * 11), card_number, card_type }),
          created_at: pick(DATES, i),
          currency: pick(CURRENCIES, i),
          customer_id: pick(IDS, i),
          error_url: pick(URLS, i + 1),
          href_token: `Token${nth}-${i % 2 ? 'a' : 'A'}-${i}`,
          payment_ref: `${pick(TEXTS, i)}${again}`,
          status: pick(STATUSES, i),
          stored_card_id: pick(IDS, i + 1),
          subscription_id: pick(IDS, i + 2),
          success_url: pick(URLS, i),
          template_id: pick(IDS, i + 3),
          test: i % 3 !== 0,
          transaction_type: pick(KINDS, i),
          updated_at: pick(DATES, i * 3 + 1),
        }),
      )
      if (nth === 0) mine.push({ ...row })
    }
  }
  return mine
}
