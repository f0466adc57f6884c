import type { WebhookTarget } from '../domain/webhook/request.ts'
import { type Trigger, triggersOf } from '../domain/webhook/triggers.ts'
import { loadCardTransactions } from '../serializers/card-transactions.ts'
import { BY_ID } from '../serializers/references.ts'
import { presentStoredCard } from '../serializers/stored-card.ts'
import { presentTransaction } from '../serializers/transaction.ts'
import type { Viewing } from '../serializers/viewing.ts'
import { findRow } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { WebhookRow } from '../storage/tables/webhooks.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import { countEvents, insertDeliveries } from '../storage/webhook-deliveries.ts'
import type { Work } from '../work/work.ts'
import { freshDeliveries } from './fresh-deliveries.ts'
import type { PaymentEvent } from './payment-events.ts'

/** Somebody who waits for a trigger: a webhook of the transaction, or a template of the merchant. */
interface Listener extends WebhookTarget {
  readonly webhook_id: number | null
  readonly template: string | null
}

/** What is sent to those who wait for a trigger. */
interface Message {
  readonly trigger: Trigger
  readonly transactionId: number | null
  /** JSON text. */
  readonly body: string
}

/**
 * Writes what is to be sent of what happened to a transaction, with the body as the transaction is now: nothing is sent
 * of what is not kept, and what is kept is sent. Without webhooks nothing is asked or written.
 */
export async function sendLater(work: Work, record: TransactionRecord, events: readonly PaymentEvent[]): Promise<void> {
  const listeners = listenersOf(work, record.parts.webhooks)
  if (listeners.length === 0 || isSilenced(record.row)) return
  const fired = new Set(events.flatMap((event) => triggersOf(event, isRecurring(record.row))))
  const heard = [...fired].filter((trigger) => listeners.some((listener) => listener.trigger === trigger))
  if (heard.length === 0) return
  const messages: Message[] = []
  for (const trigger of heard)
    messages.push({
      trigger,
      transactionId: record.row.id,
      body: trigger === 'stored_card' ? await cardBody(work, record) : transactionBody(work, record),
    })
  await write(work, messages, listeners, record.row.payment_ref)
}

/** As `sendLater`, of a card that was stored without a payment. */
export async function sendStoredCardLater(work: Work, card: StoredCardRow): Promise<void> {
  const listeners = listenersOf(work, [])
  if (!listeners.some(({ trigger }) => trigger === 'stored_card')) return
  const body = JSON.stringify(presentStoredCard(card, BY_ID, undefined))
  await write(work, [{ trigger: 'stored_card', transactionId: null, body }], listeners)
}

/** A subscription's charge. */
const isRecurring = ({ transaction_type }: TransactionRow): boolean => transaction_type === 'recurring'

/** By the name of its error a rule has said that the payment is to be told nobody (specification: code 2610). */
const isSilenced = ({ error_name }: TransactionRow): boolean => error_name === 'errors.rules_parser.skip_webhook'

const listenersOf = ({ merchant }: Work, webhooks: readonly WebhookRow[]): readonly Listener[] => [
  ...webhooks.map((webhook) => listener(webhook, webhook.id, null)),
  ...merchant.settings.webhooks.map((template) => listener(template, null, template.name)),
]

/** Written out, which is cheaper than to add two members to the copy of a whole row. */
const listener = (
  { type, trigger, url, http_method, data_format, email }: WebhookTarget,
  webhook_id: number | null,
  template: string | null,
): Listener => ({ type, trigger, url, http_method, data_format, email, webhook_id, template })

/**
 * The transaction as GET gives it. Of its webhooks the last calls are left out: a body would hold the one before, and
 * that the one before it.
 */
export function transactionBody(work: Work, { row, parts }: TransactionRecord): string {
  const webhooks = parts.webhooks.map((webhook) =>
    webhook.response === null ? webhook : { ...webhook, response: null, request_body: null },
  )
  return JSON.stringify(presentTransaction({ row, parts: { ...parts, webhooks } }, viewingOf(work)))
}

/** The card with its transaction as JSON text (observed: 10.5). */
async function cardBody(work: Work, { row }: TransactionRecord): Promise<string> {
  const card = await findRow(work.queries, 'stored_cards', row.merchant_id, row.stored_card_id ?? undefined)
  if (!card) throw new TypeError(`The transaction ${row.id} has stored no card`)
  const transactionOf = await loadCardTransactions(viewingOf(work), [card])
  return JSON.stringify(presentStoredCard(card, BY_ID, transactionOf(card)))
}

const viewingOf = ({ queries, merchant, addresses }: Work): Viewing => ({
  queries,
  merchant,
  addresses,
  locale: 'sv',
  extend: new Set(),
})

async function write(
  work: Work,
  messages: readonly Message[],
  listeners: readonly Listener[],
  paymentRef: string | null = null,
) {
  const { queries, merchant, now, randomBytes } = work
  const { delay, duplicates, duplicates_after, reorder, hold, hold_orders } = merchant.settings.webhook_delivery
  const transactionId = messages[0]?.transactionId ?? null
  const waits = reorder && (await countEvents(queries, transactionId)) % 2 === 0
  const heard = messages.flatMap(({ trigger, transactionId: transaction_id, body }) =>
    listeners
      .filter((listener) => listener.trigger === trigger)
      .map((listener) => ({ ...listener, transaction_id, body })),
  )
  const isHeld = hold || (paymentRef !== null && hold_orders.includes(paymentRef))
  const dueAt = isHeld ? null : now + delay * 1000 + (waits ? REORDERED_MS : 0)
  const rows = freshDeliveries({ merchantId: merchant.id, id: randomBytes(12), now, dueAt }, heard)
  const again = rows.map((row) => ({ ...row, due_at: dueAt && dueAt + duplicates_after * 1000 }))
  const ids = await insertDeliveries(queries, [rows, ...Array.from({ length: duplicates }, () => again)].flat())
  work.afterCommit(() => {
    work.observer.onDeliveries?.(ids)
    work.observer.onDue()
  })
}

/** Milliseconds that an event waits which the next is to overtake. */
const REORDERED_MS = 10_000
