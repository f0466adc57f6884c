import { type ColumnType, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Item, PaymentMethod, TransactionStatus, TransactionType } from '../contract/transaction.ts'
import type { CardType } from '../domain/cards.ts'
import type { Currency } from '../domain/currencies.ts'
import type { ErrorKey } from '../domain/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Hundredths } from '../domain/money.ts'
import type { SentPaymentDetails } from '../domain/payment-details.ts'
import { eventOf, STATES } from '../domain/states.ts'
import { FLAG, type Id, JSON_TEXT, type Kept, tableCodec } from './codec.ts'
import { prepared } from './prepared.ts'
import type { Queries } from './schema.ts'

/** What the payer's browser told of itself. */
export type ClientFacts = Readonly<Record<'user_agent' | 'ip' | 'accept_language', string>>

export interface TransactionTable {
  id: Id
  merchant_id: number
  /** Null when `amount_text` is not a well-formed amount. */
  amount: Hundredths | null
  /** As sent (specification: amount rules: a bad format fails only when paying). */
  amount_text: string
  vat_amount: Hundredths | null
  currency: Currency
  payment_ref: string
  customer_ref: string | null
  customer_id: number | null
  stored_card_id: number | null
  subscription_id: number | null
  template_id: number | null
  card_holder: string | null
  /** First six and last four digits; the number itself is never kept. */
  card_number: string | null
  card_expiry: string | null
  card_type: CardType | null
  test: boolean
  authorize: boolean
  store_card: boolean
  status: TransactionStatus
  status_details: string | null
  /** Key in the error catalogue of the last refusal of the bank. */
  error_name: ErrorKey | null
  /** Free text instead of the catalogue's (service_instructions.fail_as_message). */
  error_message: string | null
  transaction_type: TransactionType | null
  payment_method: PaymentMethod
  success_url: string | null
  error_url: string | null
  href_token: string
  /** The browser library's id of one attempt to pay; answers "what became of it?". */
  attempt: string | null
  mpi_ref: string | null
  provider_ref: string | null
  request_hash: string | null
  /** What was authorized, also after a lower capture. */
  org_auth_amount: Hundredths | null
  metadata: JsonObject | null
  items: readonly Item[] | null
  /** As the merchant sent them, in their normal form. */
  payment_details: SentPaymentDetails | null
  payment_request: JsonObject
  payment_response: JsonObject | null
  client: ClientFacts
  /** The plan that the payer subscribes to by paying, and how; the subscription is made then. */
  plan_id: number | null
  /** First moment of the day. */
  start_date: number | null
  subscription_quantity: number | null
  subscription_items: readonly Item[] | null
  /** From this moment on its page cannot pay it; null is never. */
  expires_at: ColumnType<number | null, number | null | undefined, number | null>
  /** How often its page has asked the bank. */
  tries: ColumnType<number, number | undefined, number>
  /** Until when the payer, who is asked elsewhere, can answer; null when nobody is. */
  answer_by: ColumnType<number | null, number | null | undefined, number | null>
  processed_at: number | null
  created_at: number
  updated_at: number
  /** Counts changes; every UPDATE names the one it read, so of two at once one wins. */
  version: ColumnType<number, number | undefined, number>
}

export type TransactionRow = Selectable<TransactionTable>
export type NewTransactionRow = Omit<Insertable<TransactionTable>, 'id' | 'version'>
export type TransactionChanges = Omit<Updateable<TransactionTable>, 'id' | 'merchant_id' | 'version'>

export const transactionCodec = tableCodec<TransactionTable>({
  test: FLAG,
  authorize: FLAG,
  store_card: FLAG,
  metadata: JSON_TEXT,
  items: JSON_TEXT,
  payment_details: JSON_TEXT,
  payment_request: JSON_TEXT,
  payment_response: JSON_TEXT,
  client: JSON_TEXT,
  subscription_items: JSON_TEXT,
})

/** @throws a unique violation when it claims a payment_ref that is claimed, or has the attempt of another */
export async function insertTransaction(queries: Queries, row: NewTransactionRow): Promise<TransactionRow> {
  const [inserted] = await insert(queries, transactionCodec.encode(row))
  const { expires_at = null, tries = 0, answer_by = null } = row
  // Begun with the row, which is copied as a whole: it has most of the members.
  return { ...row, expires_at, tries, answer_by, ...inserted, version: 1 } as TransactionRow
}

const insert = prepared({
  build: (queries, row: Insertable<Kept<TransactionTable>>) =>
    queries.insertInto('transactions').values(row).returning('id'),
  bind: (row) => Object.values(row),
  shape: (row) => Object.keys(row).join(),
})

/** By the token of its payment page, which is all the payer has. */
export async function findTransactionByHrefToken(queries: Queries, token: string): Promise<TransactionRow | undefined> {
  const row = await queries.selectFrom('transactions').selectAll().where('href_token', '=', token).executeTakeFirst()
  return row && transactionCodec.decode(row)
}

/** By the browser library's id of one attempt to pay. */
export async function findTransactionByAttempt(
  queries: Queries,
  merchantId: number,
  attempt: string,
): Promise<TransactionRow | undefined> {
  const row = await queries
    .selectFrom('transactions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return row && transactionCodec.decode(row)
}

/**
 * Whether a transaction has this payment_ref for itself: authorized, approved or being processed.
 * @param exceptId a transaction that may have it
 */
export async function isPaymentRefClaimed(
  queries: Queries,
  merchantId: number,
  paymentRef: string,
  exceptId = 0,
): Promise<boolean> {
  return (await findClaims(queries, { merchantId, paymentRef, exceptId })).length > 0
}

const CLAIMING = (Object.keys(STATES) as TransactionStatus[]).filter((status) => STATES[status].claimsPaymentRef)

const findClaims = prepared({
  build: (
    queries,
    {
      merchantId,
      paymentRef,
      exceptId,
    }: Readonly<Record<'merchantId' | 'exceptId', number>> & { readonly paymentRef: string },
  ) =>
    queries
      .selectFrom('transactions')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('payment_ref', '=', paymentRef)
      .where('id', '!=', exceptId)
      .where('status', 'in', CLAIMING)
      // Not bound: SQLite would prepare the statement anew each time.
      .limit(sql.lit(1)),
  bind: ({ merchantId, paymentRef, exceptId }) => [merchantId, paymentRef, exceptId, ...CLAIMING],
})

/**
 * Changes a transaction if nobody has since it was read.
 * @throws a unique violation when it begins to claim a payment_ref that is claimed
 * @throws TypeError when its status cannot follow the one it has: a mistake of the caller
 * @returns the changed row, or undefined when another change came first
 */
export async function updateTransaction(
  queries: Queries,
  read: TransactionRow,
  changes: TransactionChanges,
): Promise<TransactionRow | undefined> {
  const { status = read.status } = changes
  if (status !== read.status && eventOf(read.status, status) === undefined)
    throw new TypeError(`A transaction that is ${read.status} cannot become ${status}`)
  const version = read.version + 1
  const { numUpdatedRows } = await queries
    .updateTable('transactions')
    .set({ ...transactionCodec.encode(changes), version })
    .where('id', '=', read.id)
    .where('version', '=', read.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? ({ ...read, ...changes, version } as TransactionRow) : undefined
}
