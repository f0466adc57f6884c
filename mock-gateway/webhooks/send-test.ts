import { GatewayError } from '../domain/errors/errors.ts'
import { hundredths } from '../domain/money/money.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'
import { createDeliveryRows } from '../outbox/new-delivery-rows.ts'
import { writeCardBody, writeTransactionBody } from '../outbox/outbox.ts'
import { findOne, findRow } from '../storage/rows.ts'
import type { RefundRow } from '../storage/tables/payment-parts.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import { EMPTY_TRANSACTION, type TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord, NO_PARTS } from '../storage/transaction-parts.ts'
import { insertDeliveries } from '../storage/webhook-deliveries.ts'
import type { OpenWork, Work } from '../work/work.ts'

/** A webhook sent by hand, without an event. */
interface WebhookTest {
  readonly target: WebhookTarget & { readonly trigger: Trigger }
  /** Transaction in the body; undefined: a suitable one for the trigger. */
  readonly transactionId: number | undefined
}

/** Prefix of the ids of test webhooks, recognised by receivers and the console. */
const TEST_PREFIX = 'test_'

/** Returns true if a delivery was a test. */
export const isTest = ({ event_id }: { readonly event_id: string }): boolean =>
  event_id.startsWith(`evt_${TEST_PREFIX}`)

/**
 * Sends a test webhook now, whatever delays and duplicates the merchant has set, and independent of
 * the transaction's other webhooks.
 * @returns the id of the delivery
 * @throws errors.transaction.not_found (128)
 */
export async function sendTestWebhook(
  work: OpenWork,
  { target, transactionId }: WebhookTest,
): Promise<number> {
  const { merchant, now, randomBytes, traceparent } = work
  const body = await createTestBody(work, target.trigger, transactionId)
  const deliveries = [{ ...target, transaction_id: null, webhook_id: null, template: null, body }]
  const rows = createDeliveryRows(
    {
      merchantId: merchant.id,
      id: randomBytes(12),
      now,
      dueAt: now,
      traceparent,
      mark: TEST_PREFIX,
    },
    deliveries,
  )
  return work.write(async ({ queries, afterCommit, observer }) => {
    const [id = 0] = await insertDeliveries(queries, rows)
    afterCommit(() => observer.onDue())
    return id
  })
}

/** Body of a test by trigger: the newest object that fires it, or a sample. */
const TEST_BODIES: Readonly<Record<Trigger, (work: Work) => Promise<string>>> = {
  payment: paymentBody(),
  payment_success: paymentBody('approved', 'authorized'),
  payment_error: paymentBody('declined', 'failed'),
  payment_form: paymentBody(),
  recurring_success: paymentBody('approved'),
  refund: refundBody,
  stored_card: cardBody,
  before_payment: paymentBody('pending'),
}

async function createTestBody(
  work: Work,
  trigger: Trigger,
  transactionId: number | undefined,
): Promise<string> {
  if (transactionId === undefined) return TEST_BODIES[trigger](work)
  const row = await findRow(work.queries, 'transactions', work.merchant.id, transactionId)
  if (row) return writeTransactionBody(work, await loadRecord(work.queries, row))
  throw new GatewayError('errors.transaction.not_found', {
    explain: `The merchant has no transaction ${transactionId} (transaction_id).`,
  })
}

/** @param statuses allowed statuses; default: any */
function paymentBody(...statuses: TransactionRow['status'][]) {
  return async (work: Work) => {
    const { queries, merchant } = work
    const status = statuses.length === 0 ? undefined : statuses
    const where = { merchant_id: merchant.id, status }
    const row =
      (await findOne(queries, 'transactions', where, { newestFirst: true })) ??
      createSampleTransaction(work, statuses[0] ?? 'approved')
    return writeTransactionBody(work, await loadRecord(queries, row))
  }
}

async function refundBody(work: Work): Promise<string> {
  const { queries, merchant } = work
  const where = { merchant_id: merchant.id }
  const refund = await findOne(queries, 'refunds', where, { newestFirst: true })
  const row = await findRow(queries, 'transactions', merchant.id, refund?.transaction_id)
  if (row) return writeTransactionBody(work, await loadRecord(queries, row))
  return writeTransactionBody(work, {
    row: createSampleTransaction(work, 'approved'),
    parts: { ...NO_PARTS, refunds: [createSampleRefund(work)] },
  })
}

async function cardBody(work: Work): Promise<string> {
  const where = { merchant_id: work.merchant.id }
  const card = await findOne(work.queries, 'stored_cards', where, { newestFirst: true })
  return writeCardBody(work, card ?? createSampleCard(work))
}

/** Id of a row that is not stored. */
const NO_ID = 0
const AMOUNT = hundredths(1000)
const CARD = {
  card_holder: 'Anna Andersson',
  card_number: '411111******1111',
  card_expiry: '1230',
  card_type: 'visa',
} as const

/** Creates a sample transaction, for a test webhook before the first payment. */
const createSampleTransaction = (
  { merchant, now }: Work,
  status: TransactionRow['status'],
): TransactionRow => ({
  ...EMPTY_TRANSACTION,
  ...CARD,
  id: NO_ID,
  merchant_id: merchant.id,
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

const createSampleRefund = ({ merchant, now }: Work): RefundRow => ({
  id: NO_ID,
  merchant_id: merchant.id,
  transaction_id: NO_ID,
  amount: AMOUNT,
  reason: 'a test',
  ref: null,
  created_at: now,
})

/** Creates a sample card that expires in a year. */
const createSampleCard = ({ merchant, now }: Work): StoredCardRow => ({
  ...CARD,
  id: NO_ID,
  merchant_id: merchant.id,
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
