import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { memoized } from '../domain/memoized.ts'
import type { Merchant } from '../domain/merchant.ts'

/** Before the base64 of a key (Standard Webhooks, Signature scheme). */
const KEY_PREFIX = 'whsec_'

/**
 * The keys that a merchant's calls are signed with: those of its settings, else one that follows
 * from its secret. With two of them there are two signatures, so that a shop can go from one to the
 * other.
 */
export function signingKeys({ id, secret, settings }: Merchant): readonly string[] {
  if (settings.webhook_keys.length > 0) return settings.webhook_keys
  return [keyOf(JSON.stringify([secret, id]))]
}

const keyOf = memoized(100, (text) => {
  const [secret, id] = JSON.parse(text) as [string, number]
  const key = hkdfSync('sha256', secret, `merchant ${id}`, 'mondido webhook signature', 32)
  return KEY_PREFIX + Buffer.from(key).toString('base64')
})

/** Node takes three times as long for one that it has to look at each time. */
const secretOf = memoized(100, (key) => createSecretKey(key.slice(KEY_PREFIX.length), 'base64'))

/** What a receiver verifies. */
export interface SignedContent {
  readonly id: string
  /** Seconds since 1970, by the machine's clock. */
  readonly timestamp: number
  /** As it is sent; empty for a GET. */
  readonly body: string
}

/**
 * The three headers of Standard Webhooks: what is not known as a header is no harm to old handlers.
 */
export function signatureHeaders(
  signed: SignedContent,
  keys: readonly string[],
): Record<string, string> {
  const { id, timestamp } = signed
  const signatures = keys.map((key) => signatureBy(key, signed))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** What a key makes of it: `v1,` and base64 of the HMAC-SHA256 of the joined text. */
export const signatureBy = (key: string, signed: SignedContent): string =>
  `v1,${createHmac('sha256', secretOf(key)).update(signedText(signed)).digest('base64')}`

/** The text that is signed. */
export const signedText = ({ id, timestamp, body }: SignedContent): string =>
  `${id}.${timestamp}.${body}`
