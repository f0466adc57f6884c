import type { WebhookTarget } from '../domain/webhook/request.ts'
import { BEFORE_PAYMENT } from '../domain/webhook/triggers.ts'
import { transactionBody } from '../outbox/outbox.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'
import { type TransactionParts, type TransactionRecord, withItsParts } from '../storage/transaction-parts.ts'
import type { AskedWebhook, OpenWork, Work } from '../work/work.ts'

/** A shop is to be asked before the bank is; nothing is done until then. */
class NotAsked extends Error {
  override readonly name = 'NotAsked'
  readonly webhooks: readonly AskedWebhook[]
  readonly body: string
  /** Undefined of a new one, which is not kept yet. */
  readonly known: TransactionRecord | undefined

  constructor(webhooks: readonly AskedWebhook[], body: string, known: TransactionRecord | undefined) {
    super('The shop was not called')
    this.webhooks = webhooks
    this.body = body
    this.known = known
  }
}

/**
 * Does steps that may pay, in one database transaction. Where a webhook is to be asked before the payment the steps stop
 * there, it is called without holding the database, and they are done anew (specification: a webhook runs before or
 * after a transaction). What it was asked and answered is kept, whatever becomes of the payment.
 * @throws errors.webhook.failed (193) and what else a webhook refuses a payment with; what the steps throw
 */
export async function askingFirst<T extends TransactionRecord>(
  work: OpenWork,
  steps: (work: Work, asked: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work.write((inside) => steps(inside, false))
  } catch (error) {
    if (!(error instanceof NotAsked) || !work.askShop) throw error
    const { refusal, keep } = await work.askShop(work.merchant, error.webhooks, error.body)
    try {
      if (refusal) throw refusal
      return await work.write(async (inside) => {
        const result = await steps(inside, true)
        await keep(inside, result)
        return { ...result, ...(await withItsParts(inside.queries, result.row)) }
      })
    } catch (refused) {
      await work.write((inside) => keep(inside, error.known))
      throw refused
    }
  }
}

/**
 * Stops steps that are about to pay where a webhook is to be asked, of the transaction or of the merchant.
 * @param row a new one has no id yet, and shows none
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
  throw new NotAsked(asked, JSON.stringify(isKnown ? shown : { ...shown, id: null }), isKnown ? record : undefined)
}
