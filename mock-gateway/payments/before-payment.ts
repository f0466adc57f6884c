import type { WebhookTarget } from '../domain/webhook/request.ts'
import { BEFORE_PAYMENT } from '../domain/webhook/triggers.ts'
import { transactionBody } from '../outbox/outbox.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'
import {
  loadRecord,
  type TransactionParts,
  type TransactionRecord,
} from '../storage/transaction-parts.ts'
import type { BeforePaymentWebhook, OpenWork, Work } from '../work/work.ts'

/** Rolls back steps that must call the shop before the charge (decision 118). */
class NotAsked extends Error {
  override readonly name = 'NotAsked'
  readonly webhooks: readonly BeforePaymentWebhook[]
  readonly body: string
  /** Undefined for a new transaction, which is not stored yet. */
  readonly known: TransactionRecord | undefined

  constructor(
    webhooks: readonly BeforePaymentWebhook[],
    body: string,
    known: TransactionRecord | undefined,
  ) {
    super('The shop was not called')
    this.webhooks = webhooks
    this.body = body
    this.known = known
  }
}

/**
 * Runs steps that may charge in one database transaction. If a webhook has to be asked before the
 * charge, the steps are rolled back, the webhook is called while no database transaction is open,
 * and the steps run again (decision 118; specification: a webhook runs before or after a
 * transaction). Stores the call and its answer, whatever the result.
 * @throws errors.webhook.failed (193) and other errors with which a webhook rejects a payment;
 *   errors of the steps
 */
export async function askingFirst<T extends TransactionRecord>(
  work: OpenWork,
  steps: (work: Work, asked: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work.write((inside) => steps(inside, false))
  } catch (error) {
    if (!(error instanceof NotAsked) || !work.askShop) throw error
    const { refusal, keep } = await work.askShop(work, error.webhooks, error.body)
    try {
      if (refusal) throw refusal
      return await work.write(async (inside) => {
        const result = await steps(inside, true)
        await keep(inside, result)
        return { ...result, ...(await loadRecord(inside.queries, result.row)) }
      })
    } catch (refused) {
      await work.write((inside) => keep(inside, error.known))
      throw refused
    }
  }
}

/**
 * Rolls the steps back if a webhook of the transaction or of the merchant has to be asked before
 * the charge.
 * @param row a new row has no id yet, so the webhook gets none
 */
export function stopToAsk(
  work: Work,
  row: NewTransactionRow | TransactionRow,
  parts: TransactionParts,
  webhooks: readonly WebhookTarget[],
): void {
  const isAsked = ({ trigger }: WebhookTarget) => trigger === BEFORE_PAYMENT
  const asked = [
    ...webhooks.filter(isAsked).map((webhook) => ({
      ...webhook,
      webhook_id: 'id' in webhook ? Number(webhook.id) : null,
      template: null,
    })),
    ...work.merchant.settings.webhooks
      .filter(isAsked)
      .map((template) => ({ ...template, webhook_id: null, template: template.name })),
  ]
  if (asked.length === 0 || !work.askShop) return
  const record = { row: { id: 0, version: 1, ...row } as TransactionRow, parts }
  const shown = JSON.parse(transactionBody(work, record))
  const isKnown = 'id' in row
  throw new NotAsked(
    asked,
    JSON.stringify(isKnown ? shown : { ...shown, id: null }),
    isKnown ? record : undefined,
  )
}
