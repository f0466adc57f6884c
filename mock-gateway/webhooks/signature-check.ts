import { isObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { type HashedResponse, responseHash, responseText } from '../domain/order/hash.ts'
import { signatureBy, signedText } from './signature.ts'

/** One way to verify that a webhook is genuine, step by step, as a receiver does it. */
export interface SignatureCheck {
  /** What is joined, in its order. */
  readonly parts: readonly (readonly [name: string, value: string])[]
  /** The parts as they are joined; a secret in it is `***`. */
  readonly joined: string
  /** How a digest is made of it. */
  readonly recipe: string
  /** What comes of it, by each key there is now. */
  readonly digests: readonly string[]
  /** What the webhook said. */
  readonly sent: string
  readonly isRight: boolean
}

/** What an attempt has sent. */
export interface SentWebhook {
  readonly headers: JsonObject
  /** As it was sent; empty for a GET. */
  readonly body: string
}

/**
 * Verifies the header webhook-signature (Standard Webhooks). No key is shown.
 * @param keys those of now: with others than it was signed with it is wrong
 * @returns undefined where nothing was signed
 */
export function checkSignature(
  { headers, body }: SentWebhook,
  keys: readonly string[],
): SignatureCheck | undefined {
  const [id, timestamp, sent] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof sent !== 'string')
    return undefined
  const signed = { id, timestamp: Number(timestamp), body }
  const digests = keys.map((key) => signatureBy(key, signed))
  return {
    parts: [
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['body', body],
    ],
    joined: signedText(signed),
    recipe: 'HMAC-SHA256 with the bytes of the key whsec_***, in base64, behind "v1,"',
    digests,
    sent,
    isRight: sent.split(' ').some((signature) => digests.includes(signature)),
  }
}

/**
 * Verifies `response_hash` in the body of a transaction.
 * @param kept JSON text of what was sent
 * @returns undefined where there is none, as in a stored card
 */
export function checkResponseHash(kept: string, secret: string): SignatureCheck | undefined {
  const body = JSON.parse(kept) as JsonValue
  if (!isObject(body) || typeof body.response_hash !== 'string') return undefined
  const said = (name: string) => String(body[name] ?? '')
  const parts: HashedResponse = {
    merchantId: said('merchant_id'),
    paymentRef: said('payment_ref'),
    customerRef: said('ref'),
    amount: said('amount'),
    currency: said('currency'),
    status: said('status'),
  }
  const digest = responseHash(parts, secret)
  return {
    parts: [
      ...Object.entries(NAMES).map(
        ([part, name]) => [name, parts[part as keyof HashedResponse]] as const,
      ),
      ['secret', '***'],
    ],
    joined: `${responseText(parts)}***`,
    recipe: 'MD5, in hexadecimal digits',
    digests: [digest],
    sent: body.response_hash,
    isRight: digest === body.response_hash,
  }
}

/** The parts by the names that they have in the body, in their order. */
const NAMES: Readonly<Record<keyof HashedResponse, string>> = {
  merchantId: 'merchant_id',
  paymentRef: 'payment_ref',
  customerRef: 'ref',
  amount: 'amount',
  currency: 'currency',
  status: 'status',
}
