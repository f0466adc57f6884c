import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FinalAuthenticationResult } from '../../domain/card/three-d-secure.ts'
import { VERDICTS } from './verdict.ts'

/** Answer of the issuer's server, which returns through the payer's browser. */
export interface SignedAnswer {
  /** Our id of the authentication it answers. */
  readonly ref: string
  readonly result: FinalAuthenticationResult
}

/** The audience of an answer, so that no other text signed with the same key is accepted. */
const AUDIENCE = 'mpi'

/**
 * `<payload>.<signature>`, both base64url; the signature is an HMAC-SHA-256 with the key of the
 * authentication.
 */
export function signAnswer({ ref, result }: SignedAnswer, key: string): string {
  const payload = Buffer.from(JSON.stringify({ aud: AUDIENCE, ref, result })).toString('base64url')
  return `${payload}.${calculateSignature(payload, key)}`
}

/** Returns an answer with a broken signature, as an attacker might send it (outcome tamper). */
export function createForgedAnswer(answer: SignedAnswer, key: string): string {
  const [payload = '', signed = ''] = signAnswer(answer, key).split('.')
  return `${payload}.${[...signed].toReversed().join('')}`
}

/**
 * Reads the id of the authentication from an answer that is not verified yet. Use it only to find
 * the key.
 */
export const readClaimedRef = (text: string): string | undefined => parsePayload(text)?.ref

/** Returns the answer if its signature is correct, otherwise undefined. */
export function verifyAnswer(text: string, key: string): SignedAnswer | undefined {
  const [payload = '', signed = '', ...more] = text.split('.')
  const [wanted, given] = [Buffer.from(calculateSignature(payload, key)), Buffer.from(signed)]
  if (more.length > 0 || wanted.length !== given.length || !timingSafeEqual(wanted, given))
    return undefined
  return parsePayload(text)
}

const calculateSignature = (payload: string, key: string): string =>
  createHmac('sha256', key).update(payload).digest('base64url')

function parsePayload(text: string): SignedAnswer | undefined {
  try {
    const { aud, ref, result } = JSON.parse(
      Buffer.from(text.split('.')[0] ?? '', 'base64url').toString(),
    )
    const known = aud === AUDIENCE && typeof ref === 'string' && Object.hasOwn(VERDICTS, result)
    return known ? { ref, result } : undefined
  } catch {
    return undefined
  }
}
