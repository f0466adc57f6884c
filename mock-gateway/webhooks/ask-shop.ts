import type { Ambient } from '../domain/ambient.ts'
import { GatewayError } from '../domain/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import { freshDeliveries, type Heard } from '../events/fresh-deliveries.ts'
import { insertNotification } from '../storage/notifications.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import { insertAttempts } from '../storage/webhook-attempts.ts'
import { insertDeliveries, type WebhookDeliveryRow } from '../storage/webhook-deliveries.ts'
import { updateWebhook } from '../storage/webhooks.ts'
import type { AskShop, Work } from '../storage/work.ts'
import { alertsOf } from './alerts.ts'
import type { MakeCall } from './http-call.ts'
import { httpTransport } from './http-transport.ts'
import { maskedUrl, noticeOf } from './notice.ts'
import type { Reply } from './reply.ts'
import type { Sent } from './transport.ts'

/** Milliseconds that a shop has, while the payer waits. */
const ANSWER_MS = 10_000

/** Errors that a shop may refuse a payment with, by naming one in its answer: rules have said no. */
const RULES = ['errors.rules_parser.declined', 'errors.rules_parser.skip_webhook'] as const

/** What the calls are made of. */
export interface AskParts {
  readonly call: MakeCall
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds of the machine. */
  readonly machine: () => number
}

/** One call, and what it was for. */
interface Answered extends Sent {
  readonly delivery: WebhookDeliveryRow
  /** Milliseconds that it took. */
  readonly duration: number
}

/**
 * Calls webhooks before a payment, one after the other, until one does not answer 2xx (our decision): the payment is then
 * refused with errors.webhook.failed (193), or by the rule that the answer names as `{"name": "errors.rules_parser.…"}`.
 */
export const askShop = ({ call, randomBytes, machine }: AskParts): AskShop => {
  const send = httpTransport(call, '500', ANSWER_MS)
  const never = new AbortController().signal
  return async (merchant, webhooks, body) => {
    const heard = webhooks.map((webhook): Heard => ({ ...webhook, transaction_id: null, body }))
    const event = { merchantId: merchant.id, id: randomBytes(16), now: 0, dueAt: 0 }
    const answered: Answered[] = []
    let refusal: GatewayError | undefined
    for (const fresh of freshDeliveries(event, heard)) {
      if (fresh.url == null || refusal) continue
      const delivery = { ...fresh, id: 0 } as WebhookDeliveryRow
      const started = performance.now()
      const sent = await send({ delivery, merchant, attempt: 1, timestamp: Math.floor(machine() / 1000) }, never)
      answered.push({ ...sent, delivery, duration: Math.round(performance.now() - started) })
      if (sent.outcome !== 'delivered') refusal = refusalOf(fresh.url, sent.reply)
    }
    const alert = randomBytes(16)
    return {
      refusal,
      async keep(work, known) {
        for (const one of answered) await keepAnswer(work, one, known, alert)
      },
    }
  }
}

function refusalOf(url: string, { code, body, error }: Reply): GatewayError {
  const explain = `The webhook before the payment, ${maskedUrl(url)}, answered ${code ?? error}`
  return new GatewayError(ruleIn(body) ?? 'errors.webhook.failed', { explain })
}

/** A rule's no is an answer; of anything else that is no success the dashboard tells, as of every webhook. */
async function keepAnswer(
  work: Work,
  { delivery: asked, outcome, reply, requestBody, duration }: Answered,
  known: TransactionRecord | undefined,
  alert: Uint8Array,
): Promise<void> {
  const { queries, merchant, now } = work
  const isTaken = outcome === 'delivered'
  const webhook_id = asked.webhook_id ?? webhookOf(asked, known)
  const { id: _none, ...row } = {
    ...asked,
    transaction_id: known?.row.id ?? null,
    webhook_id,
    status: isTaken ? ('delivered' as const) : ('failed' as const),
    attempts: 1,
    calls: 1,
    due_at: null,
    created_at: now,
    updated_at: now,
  }
  const [id = 0] = await insertDeliveries(queries, [row])
  const delivery = { ...row, id }
  const response = { ...reply } as JsonObject
  await insertAttempts(queries, [
    {
      merchant_id: merchant.id,
      delivery_id: id,
      number: 1,
      manual: false,
      outcome: isTaken ? 'delivered' : 'failed',
      request_body: requestBody,
      response,
      duration,
      created_at: now,
    },
  ])
  if (webhook_id !== null) await updateWebhook(queries, webhook_id, { response, request_body: requestBody })
  if (isTaken || ruleIn(reply.body)) return
  const notification = noticeOf('webhook_failed', delivery, reply, now)
  await insertNotification(queries, notification)
  await insertDeliveries(queries, alertsOf(merchant, delivery, notification, alert))
  work.fallsDue()
}

/** A new transaction's webhooks have ids only once it is kept; they are in the order in which they were asked. */
function webhookOf({ template, message_id }: WebhookDeliveryRow, known: TransactionRecord | undefined): number | null {
  if (template !== null || !known) return null
  const place = Number(/\d+$/.exec(message_id)?.[0]) - 1
  return known.parts.webhooks.filter(({ trigger }) => trigger === 'before_payment')[place]?.id ?? null
}

function ruleIn(body: string | null): (typeof RULES)[number] | undefined {
  try {
    const { name } = JSON.parse(body ?? '') as { readonly name?: unknown }
    return RULES.find((rule) => rule === name)
  } catch {
    return undefined
  }
}
