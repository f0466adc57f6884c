import { isObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { type HashedResponse, hashResponse, writeResponseText } from '../domain/order/hash.ts'
import { createSignature, writeSignedText } from './signature.ts'

/** Steps to verify a webhook, as a receiver takes them. */
export interface SignatureCheck {
  /** Parts to join, in order. */
  readonly parts: readonly (readonly [name: string, value: string])[]
  /** The joined text, with `***` for a secret. */
  readonly joined: string
  /** How the digest is calculated. */
  readonly recipe: string
  /** Digests by each current key. */
  readonly digests: readonly string[]
  /** Signature in the webhook. */
  readonly sent: string
  readonly isRight: boolean
}

/** Content of an attempt. */
export interface SentWebhook {
  readonly headers: JsonObject
  /** As sent; empty for a GET. */
  readonly body: string
}

/**
 * Verifies the header webhook-signature (Standard Webhooks). Keys are not shown.
 * @param keys current keys: after a change of keys the signature is wrong
 * @returns undefined if the webhook was not signed
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
  const digests = keys.map((key) => createSignature(key, signed))
  return {
    parts: [
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['body', body],
    ],
    joined: writeSignedText(signed),
    recipe: 'HMAC-SHA256 with the bytes of the key whsec_***, in base64, behind "v1,"',
    digests,
    sent,
    isRight: sent.split(' ').some((signature) => digests.includes(signature)),
  }
}

/**
 * Verifies `response_hash` in the body of a transaction.
 * @param kept JSON text of the sent object
 * @returns undefined if there is none, as in a stored card
 */
export function checkResponseHash(kept: string, secret: string): SignatureCheck | undefined {
  const body = JSON.parse(kept) as JsonValue
  if (!isObject(body) || typeof body.response_hash !== 'string') return undefined
  const parts = readHashedResponse(body)
  const digest = hashResponse(parts, secret)
  return {
    parts: [
      ...Object.entries(NAMES).map(
        ([part, name]) => [name, parts[part as keyof HashedResponse]] as const,
      ),
      ['secret', '***'],
    ],
    joined: `${writeResponseText(parts)}***`,
    recipe: 'MD5, in hexadecimal digits',
    digests: [digest],
    sent: body.response_hash,
    isRight: digest === body.response_hash,
  }
}

/** Reads the parts of `response_hash` from the body of a transaction. */
export const readHashedResponse = (body: JsonObject): HashedResponse =>
  Object.fromEntries(
    Object.entries(NAMES).map(([part, name]) => [part, String(body[name] ?? '')]),
  ) as object as HashedResponse

/** Names of the parts in the body, in order. */
const NAMES: Readonly<Record<keyof HashedResponse, string>> = {
  merchantId: 'merchant_id',
  paymentRef: 'payment_ref',
  customerRef: 'ref',
  amount: 'amount',
  currency: 'currency',
  status: 'status',
}
