import { GatewayError } from '../domain/errors/errors.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'
import { freshDeliveries } from '../events/fresh-deliveries.ts'
import { transactionBody } from '../events/outbox.ts'
import { loadCardTransactions } from '../presentation/card-transactions.ts'
import { BY_ID } from '../presentation/references.ts'
import { presentStoredCard } from '../presentation/stored-card.ts'
import { findNewest } from '../storage/newest.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { NO_PARTS, type TransactionRecord, withItsParts } from '../storage/transaction-parts.ts'
import { insertDeliveries } from '../storage/webhook-deliveries.ts'
import type { OpenWork, Work } from '../storage/work.ts'
import { sampleCard, sampleRefund, sampleTransaction } from './sample-rows.ts'

/** A webhook that nothing has fired. */
export interface WebhookTest {
  readonly target: WebhookTarget & { readonly trigger: Trigger }
  /** What the body shows; undefined: what fits the trigger. */
  readonly transactionId: number | undefined
}

/** What the ids of a test begin with, by which a receiver, and the console, know it. */
const TEST = 'test_'

/** Whether a delivery was a test. */
export const isTest = ({ event_id }: { readonly event_id: string }): boolean => event_id.startsWith(`evt_${TEST}`)

/**
 * Sends a webhook as its trigger would: now, whatever delays and repeats the merchant has set, and beside all that is sent
 * of the transaction in its body.
 * @returns the id of the delivery
 * @throws errors.transaction.not_found (128)
 */
export async function sendTest(work: OpenWork, { target, transactionId }: WebhookTest): Promise<number> {
  const { merchant, now, randomBytes } = work
  const body = await bodyOf(work, target.trigger, transactionId)
  const heard = [{ ...target, transaction_id: null, webhook_id: null, template: null, body }]
  const rows = freshDeliveries({ merchantId: merchant.id, id: randomBytes(16), now, dueAt: now, mark: TEST }, heard)
  return work.write(async ({ queries, fallsDue }) => {
    const [id = 0] = await insertDeliveries(queries, rows)
    fallsDue()
    return id
  })
}

/** Statuses that a transaction has when a trigger fires; of the others any. */
const STATUSES: Readonly<Partial<Record<Trigger, readonly [TransactionRow['status'], ...TransactionRow['status'][]]>>> =
  {
    payment_success: ['approved', 'authorized'],
    payment_error: ['declined', 'failed'],
    recurring_success: ['approved'],
    before_payment: ['pending'],
  }

async function bodyOf(work: Work, trigger: Trigger, transactionId: number | undefined): Promise<string> {
  if (transactionId === undefined)
    return trigger === 'stored_card' ? cardBody(work) : transactionBody(work, await fitting(work, trigger))
  const row = await findRow(work.queries, 'transactions', work.merchant.id, transactionId)
  if (row) return transactionBody(work, await withItsParts(work.queries, row))
  throw new GatewayError('errors.transaction.not_found', {
    explain: `transaction_id ${transactionId} is no transaction of the merchant`,
  })
}

/** The newest transaction for which the trigger fires, or one that is made up. */
async function fitting(work: Work, trigger: Trigger): Promise<TransactionRecord> {
  const { queries, merchant, now } = work
  const of = { merchantId: merchant.id, now }
  const statuses = STATUSES[trigger]
  const refund = trigger === 'refund' ? await findNewest(queries, 'refunds', merchant.id) : undefined
  const row =
    trigger === 'refund'
      ? await findRow(queries, 'transactions', merchant.id, refund?.transaction_id)
      : await findNewest(queries, 'transactions', merchant.id, statuses)
  if (row) return withItsParts(queries, row)
  const refunds = trigger === 'refund' ? [sampleRefund(of)] : []
  return { row: sampleTransaction(of, statuses?.[0] ?? 'approved'), parts: { ...NO_PARTS, refunds } }
}

async function cardBody({ queries, merchant, addresses, now }: Work): Promise<string> {
  const card = (await findNewest(queries, 'stored_cards', merchant.id)) ?? sampleCard({ merchantId: merchant.id, now })
  const viewing = { queries, merchant, addresses, locale: 'sv', extend: new Set<string>() } as const
  const transactionOf = await loadCardTransactions(viewing, [card])
  return JSON.stringify(presentStoredCard(card, BY_ID, transactionOf(card)))
}
