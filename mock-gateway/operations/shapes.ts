import { z } from 'zod'
import { formatWireTime } from '../serializers/time.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'

/** A time of the output, to the second. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .meta({ id: 'Time', format: 'date-time' })

/** Formats epoch milliseconds of a column that may be empty. */
export const timeOrNull = (at: number | null) => (at === null ? null : formatWireTime(at))

/** A time of the output with milliseconds, because a clock can be stopped between two seconds. */
export const moment = z
  .string()
  .regex(/\.\d{3}Z$/)
  .meta({
    id: 'Moment',
    description: 'A time in UTC with milliseconds.',
    format: 'date-time',
  })

export const formatMoment = (at: number) => new Date(at).toISOString()

export const whose = z
  .int()
  .nullable()
  .meta({ id: 'Whose', description: 'Id of the merchant; null for all merchants.' })

/** Picks the fields of a schema from a row, in the order of the schema. */
export const pickFields = <Schema extends z.ZodObject>(
  { shape }: Schema,
  row: z.output<NoInfer<Schema>>,
) => Object.fromEntries(Object.keys(shape).map((name) => [name, row[name]])) as z.output<Schema>

/** The id of an object in an address. */
export const idInPath = { id: z.int() }

/** A whole number of the input. */
export const wholeNumber = (min: number, max: number) => z.int().min(min).max(max)

/** The id of an object that a request names. */
export const defineId = (description: string) =>
  wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().meta({ description })

/** The part of a list that a request returns. */
export const page = {
  limit: wholeNumber(1, 1000).default(100),
  offset: wholeNumber(0, 1_000_000_000).default(0),
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/
const NOT_A_TIME = 'must be a time such as 2026-04-01T12:00:00Z, or a day such as 2026-04-01'

/** A moment of the input in ISO 8601, as epoch milliseconds. A day means its start in UTC. */
export const at = z
  .codec(z.string().meta({ examples: ['2026-04-01T12:00:00Z'] }), z.number(), {
    decode(written, { issues }) {
      // A + in a query is decoded to a blank.
      const text = written.replace(' ', '+')
      const time = ISO.test(text) ? Date.parse(text) : Number.NaN
      if (!Number.isNaN(time)) return time
      issues.push({ code: 'custom', input: written, message: NOT_A_TIME })
      return z.NEVER
    },
    encode: (ms) => formatMoment(ms),
  })
  .describe('A time in ISO 8601, or a day in UTC.')

export const anyObject = z.looseObject({})

/** Statuses of a delivery. */
export const STATUSES = ['pending', 'delivered', 'failed', 'dead'] as const

export const httpMethod = z
  .string()
  .nullable()
  .meta({ enum: ['post', 'get', null] })
export const dataFormat = z
  .string()
  .nullable()
  .meta({ enum: ['json', 'form_data', 'xml', null] })

export const delivery = z
  .object({
    id: z.int(),
    merchant_id: z.int(),
    created_at: time,
    event_id: z.string().regex(/^evt_/),
    webhook_id: z.string().regex(/^msg_/).describe('The header webhook-id of its attempts.'),
    transaction_id: z.int().nullable(),
    webhook: z
      .int()
      .nullable()
      .describe('Id at /v1/webhooks; null for a delivery of a webhook template.'),
    template: z.string().nullable(),
    type: z.string().meta({ enum: ['CustomHttp', 'Email', 'receipt'] }),
    trigger: z.string(),
    url: z.string().nullable(),
    http_method: httpMethod,
    data_format: dataFormat,
    email: z.string().nullable(),
    status: z.enum(STATUSES).meta({ id: 'DeliveryStatus' }),
    attempts: z.int().describe('Number of attempts.'),
    due_at: time.nullable(),
  })
  .meta({ id: 'Delivery' })

export const presentDelivery = (row: WebhookDeliveryRow) =>
  pickFields(delivery, {
    ...row,
    created_at: formatWireTime(row.created_at),
    webhook_id: row.message_id,
    webhook: row.webhook_id,
    attempts: row.calls,
    due_at: timeOrNull(row.due_at),
  })
