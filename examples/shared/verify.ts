/**
 * Whether a call comes from the payment service: by the headers of Standard Webhooks,
 * standardwebhooks.com.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Merchant } from './payment.ts'

/**
 * The greatest age of a call in seconds. An older call may be a copy that somebody recorded and
 * sent again.
 */
const TOLERANCE = 300

/** The key that follows from the secret of a merchant whose settings have no `webhook_keys`. */
export const signingKey = ({ id, secret }: Merchant): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, `merchant ${id}`, 'mondido webhook signature', 32))

/**
 * @param body the bytes as they arrived: parsing and writing it again changes the signature
 * @param now milliseconds since 1970
 */
export function isSigned(
  headers: IncomingHttpHeaders,
  body: string,
  key: Buffer,
  now: number,
): boolean {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = headers
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE) return false
  const expected = Buffer.from(
    createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'),
  )
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, '')))
    .some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected))
}
