import type { WebhookTarget } from '../domain/webhook-request.ts'
import { transactionBody } from '../events/outbox.ts'
import type { TransactionParts } from '../storage/transaction-parts.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/transactions.ts'
import type { OpenWork, Work } from '../storage/work.ts'

/** A shop is to be asked before the bank is; nothing is done until then. */
class NotAsked extends Error {
  override readonly name = 'NotAsked'
  readonly targets: readonly WebhookTarget[]
  readonly body: string

  constructor(targets: readonly WebhookTarget[], body: string) {
    super('The shop has not been asked')
    this.targets = targets
    this.body = body
  }
}

/**
 * Does steps that may pay, in one database transaction. Where a webhook is to be asked before the payment the steps stop
 * there, it is called without holding the database, and they are done anew (specification: a webhook runs before or
 * after a transaction).
 * @throws errors.webhook.failed (193) and what else a webhook refuses a payment with; what the steps throw
 */
export async function askingFirst<T>(work: OpenWork, steps: (work: Work, asked: boolean) => Promise<T>): Promise<T> {
  try {
    return await work.write((inside) => steps(inside, false))
  } catch (error) {
    if (!(error instanceof NotAsked)) throw error
    const refusal = await work.askShop?.(work.merchant, error.targets, error.body)
    if (refusal) throw refusal
    return work.write((inside) => steps(inside, true))
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
  const targets = [...webhooks, ...work.merchant.settings.webhooks].filter(
    ({ trigger }) => trigger === 'before_payment',
  )
  if (targets.length === 0 || !work.askShop) return
  const shown = JSON.parse(transactionBody(work, { row: { id: 0, version: 1, ...row } as TransactionRow, parts }))
  throw new NotAsked(targets, JSON.stringify('id' in row ? shown : { ...shown, id: null }))
}
