import { z } from 'zod'
import { badFormat } from '../domain/errors/errors.ts'
import { ALTERATION_NAMES } from '../domain/webhook/alterations.ts'
import type { Parameters } from '../parsing/parameters/parameters.ts'
import { formatWireTime } from '../serializers/time.ts'
import type { NotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookAttemptRow } from '../storage/tables/webhook-attempts.ts'
import { findAttempts } from '../storage/webhook-attempts.ts'
import type { DeliveryFilter } from '../storage/webhook-deliveries.ts'
import {
  attemptNow,
  removeDelivery,
  requireDelivery,
  requireFullDelivery,
  retryNow,
  sendAgain,
} from '../webhooks/administer.ts'
import { sendAltered } from '../webhooks/send-altered.ts'
import {
  findNewest,
  type InputErrors,
  type Operation,
  operation,
  type Subject,
} from './operation.ts'
import { readInput } from './read-input.ts'
import {
  anyObject,
  delivery,
  idInPath,
  page,
  pickFields,
  presentDelivery,
  STATUSES,
  time,
  wholeNumber,
} from './shapes.ts'

/** Milliseconds for the answers to altered copies. */
const MOST_ANSWER_MS = 10_000

const reply = z
  .object({
    code: z.int().nullable(),
    body: z.string().nullable().describe('The first 64 KB of the body.'),
    message: z.string().nullable(),
    headers: anyObject.nullable(),
    error: z.string().nullable().describe('Why the answer was incomplete.'),
  })
  .meta({ id: 'Reply' })

type Reply = z.output<typeof reply>

const attempt = z
  .object({
    id: z.int(),
    number: z.int().min(1),
    created_at: time,
    manual: z.boolean().describe('true: requested by hand, outside the retry schedule.'),
    outcome: z.enum(['delivered', 'retry', 'failed']),
    duration: z.int().describe('Duration in milliseconds.'),
    response: reply,
    request_headers: anyObject.nullable().describe('The request headers as sent; null for a mail.'),
    request_body: z.string().nullable(),
  })
  .meta({ id: 'Attempt' })

const presentAttempt = (row: WebhookAttemptRow) =>
  pickFields(attempt, {
    ...row,
    created_at: formatWireTime(row.created_at),
    response: row.response as unknown as Reply,
  })

const notification = z
  .object({
    id: z.int(),
    merchant_id: z.int(),
    created_at: time,
    kind: z.enum(['webhook_failed', 'webhook_dead']),
    delivery_id: z.int(),
    transaction_id: z.int().nullable(),
    message: z.string(),
  })
  .meta({ id: 'Notification' })

const presentNotification = (row: NotificationRow) =>
  pickFields(notification, { ...row, created_at: formatWireTime(row.created_at) })

/** Conditions of a list of deliveries. */
const conditions = {
  id: z.int().optional().describe('Id of a delivery.'),
  transaction_id: z.int().optional(),
  status: z.enum(STATUSES).optional(),
  trigger: z.string().optional(),
}
const filter = { ...conditions, ...page, limit: page.limit.unwrap().min(0).default(100) }

const FILTER_ERRORS: InputErrors = {
  unknown: 'errors.filter_parameter.not_supported',
  invalid: 'errors.filter_value.not_supported',
}

/** Deliveries that a request chooses; those of all merchants without `merchant_id`. */
const createFilter = (
  merchant_id: number | undefined,
  { id, transaction_id, status, trigger }: z.output<z.ZodObject<typeof conditions>>,
): DeliveryFilter => ({ merchant_id, id, transaction_id, status, trigger })

const sent = z.object({ sent: z.int().describe('Number of webhooks that were sent.') })

const MAX_EVENT = 1_000

const OPERATIONS = [
  operation({
    name: 'deliveries.list',
    route: 'GET /webhooks/deliveries',
    does: 'Lists deliveries, the newest first',
    input: z.object(filter),
    output: z.array(delivery),
    errors: FILTER_ERRORS,
    run: async (sandbox, wanted) =>
      (await findNewest(sandbox, 'webhook_deliveries', wanted)).map(presentDelivery),
  }),
  operation({
    name: 'deliveries.sendAll',
    route: 'POST /webhooks/deliveries/send',
    does: 'Resends the deliveries that match a filter, outside the retry schedule; at most 1,000 per call',
    input: z.object(filter),
    output: sent,
    errors: FILTER_ERRORS,
    run: async ({ webhooks, merchantId }, wanted) => ({
      sent: await sendAgain(webhooks, createFilter(merchantId, wanted)),
    }),
  }),
  operation({
    name: 'deliveries.attempt',
    route: 'POST /webhooks/deliveries/attempt',
    does: 'Attempts matching deliveries now, one after the other, and answers after the last attempt',
    input: z.object({
      ...filter,
      event: wholeNumber(-MAX_EVENT, MAX_EVENT)
        .optional()
        .describe('Place of an event in the order of events: 0 is the first, -1 the last.'),
      order: z.enum(['oldest_first', 'newest_first']).default('oldest_first'),
    }),
    output: z.array(delivery),
    errors: FILTER_ERRORS,
    async run({ webhooks, merchantId }, { event, order, ...wanted }) {
      const chosen = { event, newestFirst: order === 'newest_first' }
      const rows = await attemptNow(webhooks, createFilter(merchantId, wanted), chosen)
      return rows.map(presentDelivery)
    },
  }),
  operation({
    name: 'deliveries.show',
    route: 'GET /webhooks/deliveries/:id',
    does: 'Shows a delivery with its body and every attempt',
    input: z.object(idInPath),
    output: delivery.extend({ body: z.string(), attempts: z.array(attempt) }),
    async run({ webhooks, merchantId }, { id }) {
      const row = await requireFullDelivery(webhooks, { id, merchant_id: merchantId })
      const attempts = await findAttempts(webhooks.database.db, [row.id])
      return {
        ...presentDelivery(row),
        body: row.body,
        attempts: attempts.map(presentAttempt),
      }
    },
  }),
  operation({
    name: 'deliveries.send',
    route: 'POST /webhooks/deliveries/:id/send',
    does: 'Resends a delivery with the same webhook-id',
    input: z.object(idInPath),
    output: sent,
    async run({ webhooks, merchantId }, { id }) {
      await requireDelivery(webhooks, { id, merchant_id: merchantId })
      return { sent: await sendAgain(webhooks, { id }) }
    },
  }),
  operation({
    name: 'deliveries.retry',
    route: 'POST /webhooks/deliveries/:id/retry',
    does: 'Runs the next retry now; it counts as an attempt of the schedule',
    input: z.object(idInPath),
    output: delivery,
    async run({ webhooks, merchantId }, { id }) {
      const filter = { id, merchant_id: merchantId }
      await retryNow(webhooks, filter)
      return presentDelivery(await requireDelivery(webhooks, filter))
    },
  }),
  operation({
    name: 'deliveries.alter',
    route: 'POST /webhooks/deliveries/:id/alter',
    does: 'Sends altered copies now; a correct shop rejects them',
    input: z.object({
      ...idInPath,
      change: z
        .string()
        .optional()
        .meta({
          description: `One or more alterations, separated by commas: ${ALTERATION_NAMES.join(', ')}.`,
          examples: ['approved_status,no_signature'],
        }),
      payment_ref: z.string().optional().describe('The order id to send, for other_order.'),
      copies: wholeNumber(1, 10)
        .default(1)
        .describe('Number of copies. All connections are open before the first body is sent.'),
      milliseconds: wholeNumber(1, MOST_ANSWER_MS)
        .default(MOST_ANSWER_MS)
        .describe('Time limit for the answers.'),
    }),
    output: z.object({ change: z.string(), response: reply, responses: z.array(reply) }),
    async run(
      { webhooks, merchantId, callTarget, authenticator },
      { id, change = '', payment_ref, copies, milliseconds },
    ) {
      const changes = change.split(',').map((name) => {
        const known = ALTERATION_NAMES.find((each) => each === name)
        if (known) return known
        throw badFormat(`change must be one or more of ${ALTERATION_NAMES.join(', ')}.`)
      })
      if (payment_ref !== undefined && !changes.includes('other_order'))
        throw badFormat(
          'payment_ref is the order for change=other_order. Send it with that change, and only with it.',
        )
      await requireDelivery(webhooks, { id, merchant_id: merchantId })
      const sending = { id, changes, paymentRef: payment_ref, copies, within: milliseconds }
      const replies = await sendAltered(webhooks, callTarget, authenticator.find, sending)
      const responses = replies.map((one) => ({ ...one }) as Reply)
      return { change: changes.join(','), response: responses[0] as Reply, responses }
    },
  }),
  operation({
    name: 'deliveries.delete',
    route: 'DELETE /webhooks/deliveries/:id',
    does: 'Deletes a delivery that was delivered or failed permanently, with its attempts and mails',
    input: z.object(idInPath),
    output: delivery,
    async run({ webhooks, merchantId }, { id }) {
      return presentDelivery(await removeDelivery(webhooks, { id, merchant_id: merchantId }))
    },
  }),
  operation({
    name: 'deliveries.dead',
    route: 'GET /webhooks/dead',
    does: 'Lists deliveries that failed permanently',
    input: z.object(filter),
    output: z.array(delivery),
    errors: FILTER_ERRORS,
    async run(sandbox, wanted) {
      const dead = { ...wanted, status: 'dead' } as const
      return (await findNewest(sandbox, 'webhook_deliveries', dead)).map(presentDelivery)
    },
  }),
  operation({
    name: 'deliveries.notifications',
    route: 'GET /webhooks/notifications',
    does: 'Lists the alerts to administrators',
    input: z.object(filter),
    output: z.array(notification),
    errors: FILTER_ERRORS,
    run: async (sandbox, { limit, offset }) =>
      (await findNewest(sandbox, 'notifications', { limit, offset })).map(presentNotification),
  }),
]

const LIST = OPERATIONS[0] as Operation

/** Reads the filter of a page. @throws errors.filter_value.not_supported (206) */
export const readDeliveryFilter = (merchantId: number, sent: Parameters): DeliveryFilter =>
  createFilter(merchantId, readInput(LIST, sent))

export const DELIVERIES: Subject = {
  title: 'Deliveries',
  about: 'Webhooks that were sent or wait: read, alter, resend and delete them.',
  operations: OPERATIONS,
}
