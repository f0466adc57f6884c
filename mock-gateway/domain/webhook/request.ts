import type { Webhook } from '../../contract/wire.ts'
import { isLongerThan } from '../characters.ts'
import { isNeverCalled } from './addresses.ts'
import { BEFORE_PAYMENT } from './triggers.ts'

/** A webhook that a request attaches to its transaction (specification: Events; observed: 10.1). */
export type WebhookRequest =
  | {
      readonly type: 'CustomHttp'
      readonly trigger: string
      readonly url: string
      readonly httpMethod: 'post' | 'get'
      readonly dataFormat: 'json' | 'form_data' | 'xml'
    }
  | { readonly type: 'Email'; readonly trigger: string; readonly email: string }
  /** Sent to the payer if it has no address. */
  | { readonly type: 'receipt'; readonly trigger: string; readonly email: string | null }

/** Input fields of a webhook. */
export const WEBHOOK_REQUEST_FIELDS = [
  'type',
  'trigger',
  'url',
  'http_method',
  'data_format',
  'email',
] as const

type WebhookInput = Readonly<
  Partial<Record<(typeof WEBHOOK_REQUEST_FIELDS)[number], string | null | undefined>>
>

/** The webhook, or one sentence about its problem. */
type ParsedWebhook =
  | { readonly ok: true; readonly value: WebhookRequest }
  | { readonly ok: false; readonly why: string }

/** Known types; without one of them, the other fields decide (our decision). */
const TYPES: ReadonlyMap<string, WebhookRequest['type']> = new Map([
  ['customhttp', 'CustomHttp'],
  ['email', 'Email'],
  ['receipt', 'receipt'],
])
const METHODS = ['post', 'get'] as const
const FORMATS = ['json', 'form_data', 'xml'] as const
/**
 * Returns true for a single address without comments, groups or line breaks, so that it cannot add
 * a header to a mail.
 */
export const isMailAddress = (text: string): boolean =>
  /^[^\s@,;<>()"\\]{1,64}@[^\s@,;<>()"\\]{1,255}$/.test(text)
/**
 * Event names are words; the list in the specification is incomplete (specification: Complete list
 * of triggers).
 */
const TRIGGER = /^[a-z][a-z_]{0,63}$/

const NEEDS =
  'A webhook needs a url (type CustomHttp) or an email (type Email). A receipt is sent to the payer.'

/**
 * Reads a webhook from any source. A webhook that only some gateways may call is accepted, and shown
 * as not called.
 */
export function readWebhook(written: WebhookInput): ParsedWebhook {
  const trigger = written.trigger?.toLowerCase()
  if (trigger === undefined || !TRIGGER.test(trigger))
    return rejectWebhook('A webhook needs a trigger, such as payment.')
  const email = written.email == null ? undefined : restorePlus(written.email)
  const url = written.url ?? undefined
  const type =
    TYPES.get(written.type?.toLowerCase() ?? '') ?? (url === undefined ? 'Email' : 'CustomHttp')
  if (type === 'CustomHttp') return readHttp(written, trigger, url)
  if (trigger === BEFORE_PAYMENT)
    return rejectWebhook(
      `A webhook for ${BEFORE_PAYMENT} needs a url, because a mail cannot answer.`,
    )
  if (email !== undefined && !isMailAddress(email))
    return rejectWebhook('The email of a webhook must be a single address.')
  if (type === 'receipt') return { ok: true, value: { type, trigger, email: email ?? null } }
  return email === undefined ? rejectWebhook(NEEDS) : { ok: true, value: { type, trigger, email } }
}

/**
 * Restores the `+` of an e-mail address. App SDKs of 2014 to 2016 send it unescaped in a form,
 * where it means a space (our decision). A space at either end, and an address with more than one
 * space, stay as sent.
 */
const restorePlus = (email: string): string => email.replace(/^([^\s@]+) ([^\s@]+@)/, '$1+$2')

function readHttp(
  { http_method, data_format }: WebhookInput,
  trigger: string,
  url: string | undefined,
): ParsedWebhook {
  if (url === undefined) return rejectWebhook(NEEDS)
  const parsed = URL.parse(url)
  if (
    isLongerThan(url, 2000) ||
    /\s/.test(url) ||
    parsed === null ||
    !['http:', 'https:'].includes(parsed.protocol)
  )
    return rejectWebhook(
      'The url of a webhook must start with http:// or https:// and have at most 2,000 characters.',
    )
  if (parsed.username !== '' || parsed.password !== '')
    return rejectWebhook('The url of a webhook must not contain a user name or password.')
  if (isNeverCalled(parsed))
    return rejectWebhook(
      'The gateway never calls this url of a webhook, because its address is for example link-local.',
    )
  const httpMethod = METHODS.find((known) => known === (http_method ?? 'post').toLowerCase())
  if (httpMethod === undefined)
    return rejectWebhook(`http_method of a webhook must be one of ${METHODS.join(', ')}.`)
  const dataFormat = FORMATS.find((known) => known === (data_format ?? 'json').toLowerCase())
  if (dataFormat === undefined)
    return rejectWebhook(`data_format of a webhook must be one of ${FORMATS.join(', ')}.`)
  return { ok: true, value: { type: 'CustomHttp', trigger, url, httpMethod, dataFormat } }
}

const rejectWebhook = (why: string): ParsedWebhook => ({ ok: false, why })

/** Destination of a webhook, by the names of the webhook resource (specification: Webhook). */
export type WebhookTarget = Pick<
  Webhook,
  'type' | 'trigger' | 'url' | 'http_method' | 'data_format' | 'email'
>

export const pickTarget = (request: WebhookRequest): WebhookTarget => ({
  type: request.type,
  trigger: request.trigger,
  url: request.type === 'CustomHttp' ? request.url : null,
  http_method: request.type === 'CustomHttp' ? request.httpMethod : null,
  data_format: request.type === 'CustomHttp' ? request.dataFormat : null,
  email: request.type === 'CustomHttp' ? null : request.email,
})
