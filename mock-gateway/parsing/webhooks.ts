import { GatewayError } from '../domain/errors/errors.ts'
import { isObject, type JsonValue } from '../domain/json.ts'
import { memoized } from '../domain/memoized.ts'
import {
  readWebhook,
  WEBHOOK_REQUEST_FIELDS,
  type WebhookRequest,
} from '../domain/webhook/request.ts'
import { type CallParameters, list, pick, text } from './parameters/parameters.ts'

export { WEBHOOK_REQUEST_FIELDS } from '../domain/webhook/request.ts'

/**
 * Reads `webhook`, or its alias `webhooks`: one object or a list of them, in any spelling of an
 * object.
 * @throws errors.webhook.invalid (151)
 */
export function readWebhookRequests(
  parameters: CallParameters<'webhook' | 'webhooks'>,
): WebhookRequest[] {
  const webhooks = NAMES.flatMap((name) => {
    const sent = parameters[name]
    return typeof sent === 'string' && sent.length <= CACHED_CHARACTERS
      ? readText[name](sent)
      : readNamed(parameters, name)
  })
  if (webhooks.length > MAX_WEBHOOKS) throw tooMany()
  return webhooks
}

const NAMES = ['webhook', 'webhooks'] as const

function readNamed(
  parameters: CallParameters<'webhook' | 'webhooks'>,
  name: (typeof NAMES)[number],
): readonly WebhookRequest[] {
  const sent = list(parameters, name, 'errors.webhook.invalid', { single: true }) ?? []
  if (sent.length > MAX_WEBHOOKS) throw tooMany()
  return sent.map(readWebhookRequest)
}

/** Longest text in the cache of parsed webhooks: a shop sends the same text with each payment. */
const CACHED_CHARACTERS = 1_000

const readText = {
  webhook: memoized(100, (webhook) => readNamed({ webhook }, 'webhook')),
  webhooks: memoized(100, (webhooks) => readNamed({ webhooks }, 'webhooks')),
}

/** Our decision, because every event sends a request for each webhook. */
const MAX_WEBHOOKS = 20

function readWebhookRequest(sent: JsonValue): WebhookRequest {
  if (!isObject(sent)) throw invalid('A webhook must be an object.')
  const value = pick(sent, WEBHOOK_REQUEST_FIELDS)
  const webhooks = readWebhook(
    Object.fromEntries(WEBHOOK_REQUEST_FIELDS.map((name) => [name, text(value, name)])),
  )
  if (!webhooks.ok) throw invalid(webhooks.why)
  return webhooks.value
}

const tooMany = () => invalid(`A transaction may have at most ${MAX_WEBHOOKS} webhooks.`)

const invalid = (explain: string) => new GatewayError('errors.webhook.invalid', { explain })
