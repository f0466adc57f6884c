import { GatewayError } from '../domain/errors.ts'
import type { AskShop } from '../storage/work.ts'
import { addressWith, bodyOf, formOf } from './body.ts'
import type { MakeCall } from './http-call.ts'
import { maskedUrl } from './notice.ts'
import { outcomeOf } from './reply.ts'
import { signatureHeaders, signingKeys } from './signature.ts'

/** Milliseconds that a shop has, while the payer waits. */
const ANSWER_MS = 10_000

/** Errors that a shop may refuse a payment with, by naming one in its answer: rules have said no. */
const RULES = ['errors.rules_parser.declined', 'errors.rules_parser.skip_webhook'] as const

/** What the calls are made of. */
export interface AskParts {
  readonly call: MakeCall
  readonly randomBytes: (count: number) => Uint8Array
  /** Epoch milliseconds of the machine. */
  readonly machine: () => number
}

/**
 * Calls webhooks before a payment, one after the other, until one does not answer 2xx (our decision): the payment is then
 * refused with errors.webhook.failed (193), or by the rule that the answer names as `{"name": "errors.rules_parser.…"}`.
 */
export const askShop =
  ({ call, randomBytes, machine }: AskParts): AskShop =>
  async (merchant, targets, kept) => {
    for (const { url, http_method, data_format } of targets) {
      if (url === null) continue
      const isGet = http_method === 'get'
      const { contentType, text } = isGet ? { contentType: '', text: '' } : bodyOf(kept, data_format ?? 'json')
      const id = `msg_${Buffer.from(randomBytes(16)).toString('hex')}`
      const timestamp = Math.floor(machine() / 1000)
      const reply = await call({
        url: isGet ? addressWith(url, formOf(kept)) : url,
        method: isGet ? 'GET' : 'POST',
        headers: {
          'user-agent': 'mondido-gateway',
          accept: '*/*',
          ...(isGet ? {} : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(text)) }),
          ...signatureHeaders({ id, timestamp, body: text }, signingKeys(merchant)),
        },
        body: text,
        within: ANSWER_MS,
      })
      if (outcomeOf(reply) === 'delivered') continue
      const explain = `The webhook before the payment, ${maskedUrl(url)}, answered ${reply.code ?? reply.error}`
      return new GatewayError(ruleIn(reply.body) ?? 'errors.webhook.failed', { explain })
    }
    return undefined
  }

function ruleIn(body: string | null): (typeof RULES)[number] | undefined {
  try {
    const { name } = JSON.parse(body ?? '') as { readonly name?: unknown }
    return RULES.find((rule) => rule === name)
  } catch {
    return undefined
  }
}
