import { DEFAULT_LOCALE } from '../domain/language/languages.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import { listTriggers, type Trigger } from '../domain/webhook/triggers.ts'
import { loadCardTransactions } from '../serializers/present.ts'
import { presentStoredCard } from '../serializers/resources.ts'
import { BY_ID } from '../serializers/serialize.ts'
import { presentTransaction, type ViewContext } from '../serializers/transaction.ts'
import { findRow } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import { countEvents, insertDeliveries } from '../storage/webhook-deliveries.ts'
import type { WebhookSubscriber, Work } from '../work/work.ts'
import { createDeliveryRows } from './new-delivery-rows.ts'
import type { PaymentEvent } from './payment-events.ts'

/** Content that is sent to the subscribers of a trigger. */
interface WebhookMessage {
  readonly trigger: Trigger
  readonly transactionId: number | null
  /** JSON text. */
  readonly body: string
}

/**
 * Writes the deliveries of events of a transaction, with the transaction as it is now. They are in
 * the database transaction of the events, so webhooks are sent exactly if the events are stored.
 * Without subscribers, this runs no query.
 * @returns the JSON text of the transaction; undefined if nothing subscribes to the events
 */
export async function enqueueWebhooks(
  work: Work,
  record: TransactionRecord,
  events: readonly PaymentEvent[],
): Promise<string | undefined> {
  const subscribers = listSubscribers(work, record.parts.webhooks)
  if (subscribers.length === 0 || isSilenced(record.row)) return undefined
  const fired = new Set(events.flatMap((event) => listTriggers(event, isRecurring(record.row))))
  const requested = [...fired].filter((trigger) =>
    subscribers.some((subscriber) => subscriber.trigger === trigger),
  )
  if (requested.length === 0) return undefined
  const body = writeTransactionBody(work, record)
  const messages: WebhookMessage[] = []
  for (const trigger of requested)
    messages.push({
      trigger,
      transactionId: record.row.id,
      body: trigger === 'stored_card' ? await cardBody(work, record) : body,
    })
  await write(work, messages, subscribers, record.row.payment_ref)
  return body
}

/** Writes the deliveries of a card that was stored without a payment. */
export async function enqueueCardWebhooks(work: Work, card: StoredCardRow): Promise<void> {
  const subscribers = listSubscribers(work, [])
  if (!subscribers.some(({ trigger }) => trigger === 'stored_card')) return
  const body = JSON.stringify(presentStoredCard(card, BY_ID, undefined))
  await write(work, [{ trigger: 'stored_card', transactionId: null, body }], subscribers)
}

/** Returns true if the transaction is a subscription's charge. */
const isRecurring = ({ transaction_type }: TransactionRow): boolean =>
  transaction_type === 'recurring'

/**
 * Returns true if a rule turned off the webhooks of the payment with its error (specification: code
 * 2610).
 */
const isSilenced = ({ error_name }: TransactionRow): boolean =>
  error_name === 'errors.rules_parser.skip_webhook'

/** Lists the webhooks of a transaction and the templates of its merchant. A new webhook has no id. */
export const listSubscribers = (
  { merchant }: Work,
  webhooks: readonly (WebhookTarget & { readonly id?: number })[],
): readonly WebhookSubscriber[] => [
  ...webhooks.map((webhook) => createSubscriber(webhook, webhook.id ?? null, null)),
  ...merchant.settings.webhooks.map((template) => createSubscriber(template, null, template.name)),
]

/** Builds a subscriber from named columns: faster than a copy of the whole row. */
const createSubscriber = (
  { type, trigger, url, http_method, data_format, email }: WebhookTarget,
  webhook_id: number | null,
  template: string | null,
): WebhookSubscriber => ({
  type,
  trigger,
  url,
  http_method,
  data_format,
  email,
  webhook_id,
  template,
})

/**
 * Writes the transaction as JSON text like GET returns it, without the last calls of its webhooks.
 * Otherwise each body would contain all earlier bodies.
 */
export function writeTransactionBody(work: Work, { row, parts }: TransactionRecord): string {
  const webhooks = parts.webhooks.map((webhook) =>
    webhook.response === null ? webhook : { ...webhook, response: null, request_body: null },
  )
  const record = { row, parts: { ...parts, webhooks } }
  return JSON.stringify(presentTransaction(record, createViewContext(work)))
}

/** Writes the card with its transaction as JSON text (observed: 10.5). */
async function cardBody(work: Work, { row }: TransactionRecord): Promise<string> {
  const card = await findRow(
    work.queries,
    'stored_cards',
    row.merchant_id,
    row.stored_card_id ?? undefined,
  )
  if (!card) throw new TypeError(`The transaction ${row.id} has stored no card`)
  return writeCardBody(work, card)
}

/** Writes a card with its transaction as JSON text. */
export async function writeCardBody(work: Work, card: StoredCardRow): Promise<string> {
  const findTransaction = await loadCardTransactions(createViewContext(work), [card])
  return JSON.stringify(presentStoredCard(card, BY_ID, findTransaction(card)))
}

const createViewContext = ({ queries, merchant, addresses }: Work): ViewContext => ({
  queries,
  merchant,
  addresses,
  locale: DEFAULT_LOCALE,
  extend: new Set(),
})

async function write(
  work: Work,
  messages: readonly WebhookMessage[],
  subscribers: readonly WebhookSubscriber[],
  paymentRef: string | null = null,
) {
  const { queries, merchant, now, randomBytes, traceparent } = work
  const { delay, duplicates, duplicates_after, reorder, hold, hold_orders } =
    merchant.settings.webhook_delivery
  const transactionId = messages[0]?.transactionId ?? null
  const waits = reorder && (await countEvents(queries, transactionId)) % 2 === 0
  const requested = messages.flatMap(({ trigger, transactionId: transaction_id, body }) =>
    subscribers
      .filter((subscriber) => subscriber.trigger === trigger)
      .map((subscriber) => ({ ...subscriber, transaction_id, body })),
  )
  const isHeld = hold || (paymentRef !== null && hold_orders.includes(paymentRef))
  const dueAt = isHeld ? null : now + delay * 1000 + (waits ? REORDERED_MS : 0)
  const rows = createDeliveryRows(
    { merchantId: merchant.id, id: randomBytes(12), now, dueAt, traceparent },
    requested,
  )
  const again = rows.map((row) => ({ ...row, due_at: dueAt && dueAt + duplicates_after * 1000 }))
  const ids = await insertDeliveries(
    queries,
    [rows, ...Array.from({ length: duplicates }, () => again)].flat(),
  )
  work.afterCommit(() => {
    work.observer.onDeliveries?.(ids)
    work.observer.onDue()
  })
}

/** Milliseconds that an event waits so that the next one overtakes it. */
const REORDERED_MS = 10_000
