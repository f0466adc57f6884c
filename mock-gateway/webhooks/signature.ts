import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { memoized } from '../domain/memoized.ts'
import type { Merchant } from '../domain/merchant.ts'

/** Prefix of the base64 of a key (Standard Webhooks, Signature scheme). */
const KEY_PREFIX = 'whsec_'

/**
 * Returns a merchant's signing keys: those in the settings, or one derived from the secret. Two
 * keys give two signatures, so that a shop can change from one to the other.
 */
export function listSigningKeys({ id, secret, settings }: Merchant): readonly string[] {
  if (settings.webhook_keys.length > 0) return settings.webhook_keys
  return [createKey(JSON.stringify([secret, id]))]
}

const createKey = memoized(100, (text) => {
  const [secret, id] = JSON.parse(text) as [string, number]
  const key = hkdfSync('sha256', secret, `merchant ${id}`, 'mondido webhook signature', 32)
  return KEY_PREFIX + Buffer.from(key).toString('base64')
})

/**
 * Returns a parsed key from a cache, because Node takes three times as long if it parses the key
 * each time.
 */
const createSecret = memoized(100, (key) => createSecretKey(key.slice(KEY_PREFIX.length), 'base64'))

/** The signed parts of a webhook. */
export interface SignedContent {
  readonly id: string
  /** Seconds since 1970 by the machine's clock. */
  readonly timestamp: number
  /** As sent; empty for a GET. */
  readonly body: string
}

/** Creates the three headers of Standard Webhooks; old handlers ignore them. */
export function createSignatureHeaders(
  signed: SignedContent,
  keys: readonly string[],
): Record<string, string> {
  const { id, timestamp } = signed
  const signatures = keys.map((key) => createSignature(key, signed))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** Signs with a key: `v1,` and the base64 of the HMAC-SHA256 of the joined text. */
export const createSignature = (key: string, signed: SignedContent): string =>
  `v1,${createHmac('sha256', createSecret(key)).update(writeSignedText(signed)).digest('base64')}`

/** Joins the signed parts. */
export const writeSignedText = ({ id, timestamp, body }: SignedContent): string =>
  `${id}.${timestamp}.${body}`
