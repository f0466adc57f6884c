import { isLongerThan } from '../domain/characters.ts'
import { GatewayError } from '../domain/errors.ts'
import { isObject, type JsonValue } from '../domain/json.ts'
import type { WebhookRequest } from '../domain/webhook-request.ts'
import { list, pick, type Sent, text } from './parameters/parameters.ts'

/** The fields of a webhook that a request attaches. */
export const WEBHOOK_REQUEST_FIELDS = ['type', 'trigger', 'url', 'http_method', 'data_format', 'email'] as const

/** Types that a request may name; of any other, and of none, what it brings decides (our decision). */
const TYPES: ReadonlyMap<string, WebhookRequest['type']> = new Map([
  ['customhttp', 'CustomHttp'],
  ['email', 'Email'],
])
const METHODS = ['post', 'get'] as const
const FORMATS = ['json', 'form_data', 'xml'] as const
/** One address without comments, groups or line breaks. */
const EMAIL = /^[^\s@,;<>()"\\]{1,64}@[^\s@,;<>()"\\]{1,255}$/
/** Names of events are words; which of them exist is not said anywhere (specification: Complete list of triggers). */
const TRIGGER = /^[a-z][a-z_]{0,63}$/

/**
 * Reads `webhook`, or its alias `webhooks`: one object or a list of them, in any spelling of an object.
 * @throws errors.webhook.invalid (151)
 */
export function readWebhookRequests(parameters: Sent<'webhook' | 'webhooks'>): WebhookRequest[] {
  const sent = (['webhook', 'webhooks'] as const).flatMap(
    (name) => list(parameters, name, 'errors.webhook.invalid', { single: true }) ?? [],
  )
  if (sent.length > MOST) throw invalid(`A transaction takes at most ${MOST} webhooks`)
  return sent.map(readWebhookRequest)
}

/** Our decision: each is a row, and a request to somebody for every event. */
const MOST = 20

function readWebhookRequest(sent: JsonValue): WebhookRequest {
  if (!isObject(sent)) throw invalid('A webhook must be an object')
  const value = pick(sent, WEBHOOK_REQUEST_FIELDS)
  const trigger = text(value, 'trigger')?.toLowerCase()
  if (trigger === undefined || !TRIGGER.test(trigger)) throw invalid('A webhook needs a trigger, such as payment')
  const url = text(value, 'url')
  const type = TYPES.get(text(value, 'type')?.toLowerCase() ?? '') ?? (url === undefined ? 'Email' : 'CustomHttp')
  return type === 'Email' ? readEmail(trigger, text(value, 'email')) : readHttp(value, trigger, url)
}

const NEEDS = 'A webhook of type CustomHttp needs a url, one of type Email an email'

function readEmail(trigger: string, email: string | undefined): WebhookRequest {
  if (email === undefined) throw invalid(NEEDS)
  if (!EMAIL.test(email)) throw invalid('The email of a webhook must be one plain address')
  return { type: 'Email', trigger, email }
}

function readHttp(
  value: Sent<'http_method' | 'data_format'>,
  trigger: string,
  url: string | undefined,
): WebhookRequest {
  if (url === undefined) throw invalid(NEEDS)
  const parsed = URL.parse(url)
  if (isLongerThan(url, 2000) || /\s/.test(url) || parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw invalid('The url of a webhook must begin with http:// or https:// and have at most 2,000 characters')
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid('The url of a webhook must not hold a user name or password')
  const httpMethod = oneOf(METHODS, text(value, 'http_method') ?? 'post')
  const dataFormat = oneOf(FORMATS, text(value, 'data_format') ?? 'json')
  return { type: 'CustomHttp', trigger, url, httpMethod, dataFormat }
}

function oneOf<Word extends string>(words: readonly Word[], sent: string): Word {
  const word = words.find((known) => known === sent.toLowerCase())
  if (word === undefined) throw invalid(`A webhook takes one of ${words.join(', ')}`)
  return word
}

const invalid = (explain: string) => new GatewayError('errors.webhook.invalid', { explain })
