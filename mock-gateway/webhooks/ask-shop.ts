import type { Logger } from '../domain/ambient.ts'
import type { RandomSource } from '../domain/chance.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { explainFailure } from '../domain/webhook/explain-failure.ts'
import { BEFORE_PAYMENT } from '../domain/webhook/triggers.ts'
import { createDeliveryRows, type DeliveryContent } from '../outbox/new-delivery-rows.ts'
import type { FullDelivery } from '../storage/tables/webhook-deliveries.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import { insertDeliveries } from '../storage/webhook-deliveries.ts'
import type { AskShop, Work } from '../work/work.ts'
import { attemptLine } from './attempt-line.ts'
import type { MakeCall } from './http-call.ts'
import { createHttpTransport } from './http-transport.ts'
import { maskUrl } from './notice.ts'
import { recordAttempts } from './record-results.ts'
import { calculateAttemptEffect } from './schedule.ts'
import { type DeliveryCall, type Reply, sendOnce } from './transport.ts'

/** Milliseconds for the shop's answer, while the payer waits. */
const ANSWER_MS = 10_000

/** Errors that a shop can reject a payment with: its rules declined it. */
const RULES = ['errors.rules_parser.declined', 'errors.rules_parser.skip_webhook'] as const

interface AskDependencies {
  readonly call: MakeCall
  readonly chance: RandomSource
  /** Returns epoch milliseconds of the machine. */
  readonly machine: () => number
  readonly logger: Logger
}

/** Call of a webhook before a payment, with its position. */
interface AnsweredCall extends DeliveryCall {
  readonly place: number
}

/**
 * Calls webhooks before a payment, one after the other, until one does not answer 2xx (decision
 * 67). Then the payment is rejected with errors.webhook.failed (193), or with the rule error in the
 * answer, `{"name": "errors.rules_parser.…"}`.
 */
export const askShop = ({ call, chance, machine, logger }: AskDependencies): AskShop => {
  const send = createHttpTransport(call, '500', ANSWER_MS)
  const never = new AbortController().signal
  return async ({ merchant, traceparent }, webhooks, body) => {
    const deliveries = webhooks.map(
      (webhook): DeliveryContent => ({ ...webhook, transaction_id: null, body }),
    )
    const id = chance.of(merchant.id)(12)
    const event = { merchantId: merchant.id, id, now: 0, dueAt: 0, traceparent }
    const answered: AnsweredCall[] = []
    let refusal: GatewayError | undefined
    for (const [place, fresh] of createDeliveryRows(event, deliveries).entries()) {
      if (fresh.url == null || refusal) continue
      const delivery = { ...fresh, id: 0 } as FullDelivery
      const called = await sendOnce(send, { delivery, merchant }, machine, never)
      answered.push({ ...called, place })
      logger.info({ merchant_id: merchant.id, webhook: attemptLine(called) })
      if (called.sent.outcome !== 'delivered')
        refusal = createRejection(fresh.url, called.sent.reply)
    }
    return {
      refusal,
      async keep(work, known) {
        for (const one of answered) await storeAnswer(work, one, known)
      },
    }
  }
}

function createRejection(url: string, reply: Reply): GatewayError {
  const { code, body } = reply
  const explain = `The webhook before the payment (${maskUrl(url)}) ${code ? `answered status ${code}.` : `failed. ${explainFailure(reply, url)}`}`
  return new GatewayError(ruleIn(body) ?? 'errors.webhook.failed', { explain })
}

/**
 * Stores an answer. A rule's rejection is a valid answer; other failures are reported on the
 * dashboard, as for every webhook.
 */
async function storeAnswer(
  { queries, now, afterCommit, observer }: Work,
  { place, ...called }: AnsweredCall,
  known: TransactionRecord | undefined,
): Promise<void> {
  // The payer does not wait for a second attempt.
  const outcome = called.sent.outcome === 'delivered' ? 'delivered' : 'failed'
  const { changes, notice } = calculateAttemptEffect(called.delivery, outcome, now)
  const { id: _none, ...delivery } = {
    ...called.delivery,
    transaction_id: known?.row.id ?? null,
    webhook_id: called.delivery.webhook_id ?? findWebhookId(called.delivery, place, known),
    created_at: now,
  }
  const [id = 0] = await insertDeliveries(queries, [{ ...delivery, ...changes }])
  afterCommit(() => observer.onDeliveries?.([id]))
  const told = notice && !ruleIn(called.sent.reply.body) ? { notice } : {}
  await recordAttempts(queries, [
    { ...called, sent: { ...called.sent, outcome }, delivery: { ...delivery, id }, now, ...told },
  ])
  if (told.notice) afterCommit(() => observer.onDue())
}

/**
 * Webhooks of a new transaction have ids only after it is stored; they are in the order of the
 * calls.
 */
function findWebhookId(
  { template }: FullDelivery,
  place: number,
  known: TransactionRecord | undefined,
): number | null {
  if (template !== null || !known) return null
  return known.parts.webhooks.filter(({ trigger }) => trigger === BEFORE_PAYMENT)[place]?.id ?? null
}

function ruleIn(body: string | null): (typeof RULES)[number] | undefined {
  try {
    const { name } = JSON.parse(body ?? '') as { readonly name?: unknown }
    return RULES.find((rule) => rule === name)
  } catch {
    return undefined
  }
}
