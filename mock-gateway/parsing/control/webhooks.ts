import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { problemsOf } from '../../domain/schema-problems.ts'
import { ALTERATION_NAMES } from '../../domain/webhook/alterations.ts'
import { readWebhook, targetOf, WEBHOOK_REQUEST_FIELDS } from '../../domain/webhook/request.ts'
import type { WebhookDelivery, WebhookTemplate } from '../../domain/webhook/template.ts'
import { webhookDelivery, webhookTemplate } from '../../domain/webhook/template-schema.ts'
import { TRIGGERS } from '../../domain/webhook/triggers.ts'
import type { DeliveryStatus } from '../../storage/tables/webhook-deliveries.ts'
import type { DeliveryFilter } from '../../storage/webhook-deliveries.ts'
import type { AttemptOrder } from '../../webhooks/administer.ts'
import type { SendAltered } from '../../webhooks/send-altered.ts'
import type { WebhookTest } from '../../webhooks/send-test.ts'
import { integer, type Parameters, pick, text } from '../parameters/parameters.ts'
import { explainNeverSent } from '../webhooks.ts'
import { badFormat, pickOnly, wholeNumber } from './read.ts'

const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed', 'dead']

const FILTERS = [
  'merchant_id',
  'id',
  'transaction_id',
  'status',
  'trigger',
  'limit',
  'offset',
  'locale',
] as const

/**
 * Reads the filter and the page of a list of deliveries. @throws
 * errors.filter_parameter.not_supported (205), errors.filter_value.not_supported (206)
 */
export function readDeliveryFilter(parameters: Parameters): {
  filter: DeliveryFilter
  limit: number
  offset: number
} {
  const unknown = Object.keys(parameters).find(
    (name) => !(FILTERS as readonly string[]).includes(name),
  )
  if (unknown !== undefined)
    throw new GatewayError('errors.filter_parameter.not_supported', {
      explain: `Deliveries can be filtered by ${FILTERS.join(', ')}.`,
    })
  const sent = pick(parameters, FILTERS)
  const number = (name: 'merchant_id' | 'id' | 'transaction_id') => {
    const written = text(sent, name)
    return written === undefined ? undefined : (readId(written) ?? -1)
  }
  const count = (name: 'limit' | 'offset', fallback: number, most: number) => {
    const value = Number(text(sent, name) ?? fallback)
    if (Number.isInteger(value) && value >= 0 && value <= most) return value
    throw wrongValue(`${name} must be a whole number from 0 to ${most}.`)
  }
  const written = text(sent, 'status')
  const status = DELIVERY_STATUSES.find((known) => known === written)
  if (written !== undefined && status === undefined)
    throw wrongValue(`status must be one of ${DELIVERY_STATUSES.join(', ')}.`)
  return {
    filter: {
      merchantId: number('merchant_id'),
      id: number('id'),
      transactionId: number('transaction_id'),
      statuses: status && [status],
      trigger: text(sent, 'trigger'),
    },
    limit: count('limit', 100, 1_000),
    offset: count('offset', 0, 1_000_000_000),
  }
}

/**
 * Which deliveries are attempted, and in which order. @throws
 * errors.filter_parameter.not_supported (205), errors.filter_value.not_supported (206)
 */
export function readDeliveryAttempt(parameters: Parameters): {
  readonly filter: DeliveryFilter
  readonly order: AttemptOrder
} {
  const { event: _event, order: _order, ...filters } = parameters
  const sent = pick(parameters, ['event', 'order'])
  const order = text(sent, 'order') ?? 'oldest_first'
  if (order !== 'oldest_first' && order !== 'newest_first')
    throw wrongValue('order must be oldest_first or newest_first.')
  const event = wholeNumber(sent, 'event', { least: -1_000, most: 1_000 })
  const { filter } = readDeliveryFilter(filters)
  return { filter, order: { event, newestFirst: order === 'newest_first' } }
}

const wrongValue = (explain: string) =>
  new GatewayError('errors.filter_value.not_supported', { explain })

/** Reads the owner of templates; default: merchant 1. */
export const readOwner = (parameters: Parameters): number =>
  readId(text(parameters, 'merchant_id') ?? '1') ?? -1

const without = (parameters: Parameters) => {
  const { merchant_id: _merchant, locale: _locale, ...rest } = parameters
  return rest
}

/**
 * @param name from the address, unless the template is new. @throws errors.webhook_template.invalid
 *   (1510)
 */
export function readTemplate(parameters: Parameters, name?: string): WebhookTemplate {
  const read = webhookTemplate.safeParse({
    ...without(parameters),
    ...(name === undefined ? {} : { name }),
    template_id: integer(parameters, 'template_id', 'errors.webhook_template.invalid'),
  })
  if (!read.success) throw wrongTemplate(`The template cannot be used: ${problemsOf(read.error)}.`)
  const why = explainNeverSent(read.data)
  if (why !== undefined) throw wrongTemplate(why)
  return read.data
}

/** Reads a test webhook. @throws errors.webhook.invalid (151), errors.request.bad_format (253) */
export function readWebhookTest(parameters: Parameters): WebhookTest {
  const sent = pickOnly(parameters, [...WEBHOOK_REQUEST_FIELDS, 'transaction_id'])
  const written = text(sent, 'trigger')
  const trigger = TRIGGERS.find((known) => known === written)
  if (trigger === undefined) throw badFormat(`trigger must be one of ${TRIGGERS.join(', ')}.`)
  const read = readWebhook(
    Object.fromEntries(WEBHOOK_REQUEST_FIELDS.map((name) => [name, text(sent, name)])),
  )
  if (!read.ok) throw wrongWebhook(read.why)
  const target = { ...targetOf(read.value), trigger }
  const why = explainNeverSent(target)
  if (why !== undefined) throw wrongWebhook(why)
  return {
    target,
    transactionId: wholeNumber(sent, 'transaction_id', { least: 1, most: Number.MAX_SAFE_INTEGER }),
  }
}

/** Reads which delivery is sent with which alteration. @throws errors.request.bad_format (253) */
export function readAlteration(id: string, parameters: Parameters): SendAltered {
  const sent = pickOnly(parameters, ['change', 'payment_ref'])
  const changes = (text(sent, 'change') ?? '').split(',').map((name) => {
    const change = ALTERATION_NAMES.find((known) => known === name)
    if (change === undefined)
      throw badFormat(`change must be one or more of ${ALTERATION_NAMES.join(', ')}.`)
    return change
  })
  const paymentRef = text(sent, 'payment_ref')
  if (paymentRef !== undefined && !changes.includes('other_order'))
    throw badFormat(
      'payment_ref is the order for change=other_order. Send it with that change, and only with it.',
    )
  return { id: readId(id) ?? -1, changes, paymentRef }
}

/** Webhooks to hold or release: of one payment, or all webhooks. */
export interface WebhookHold {
  readonly transactionId: number | undefined
  readonly paymentRef: string | undefined
}

/** @throws errors.request.bad_format (253) */
export function readWebhookHold(parameters: Parameters): WebhookHold {
  const sent = pickOnly(parameters, ['transaction_id', 'payment_ref'])
  return {
    transactionId: wholeNumber(sent, 'transaction_id', { least: 1, most: Number.MAX_SAFE_INTEGER }),
    paymentRef: text(sent, 'payment_ref'),
  }
}

const wrongWebhook = (explain: string) => new GatewayError('errors.webhook.invalid', { explain })

const wrongTemplate = (explain: string) =>
  new GatewayError('errors.webhook_template.invalid', { explain })

/**
 * Reads the disturbances of webhook delivery; an empty text is the default. @throws
 * errors.request.bad_format (253)
 */
export function readDeliverySettings(parameters: Parameters): WebhookDelivery {
  const sent = without(parameters)
  const asNumber = (value: unknown) => (typeof value === 'string' ? Number(value) : value)
  const read = webhookDelivery.safeParse({
    ...sent,
    ...('delay' in sent ? { delay: asNumber(sent.delay) } : {}),
    ...('duplicates' in sent ? { duplicates: asNumber(sent.duplicates) } : {}),
    ...('reorder' in sent ? { reorder: sent.reorder === true || sent.reorder === 'true' } : {}),
    ...('duplicates_after' in sent ? { duplicates_after: asNumber(sent.duplicates_after) } : {}),
    ...(typeof sent.hold_orders === 'string'
      ? { hold_orders: sent.hold_orders.split(',').filter(Boolean) }
      : {}),
    ...('hold' in sent ? { hold: sent.hold === true || sent.hold === 'true' } : {}),
  })
  if (read.success) return read.data
  throw badFormat(`The webhook delivery cannot be used: ${problemsOf(read.error)}.`)
}
