import { tell } from '../advice/tell.ts'
import { randomBytes, toHex } from '../crypto/rsa.ts'
import { Fault } from '../errors/faults.ts'
import type { Attempt } from '../state.ts'
import type { Outcome } from '../types.ts'
import { before } from './before.ts'
import { pay } from './pay.ts'
import { end, fail, step } from './running.ts'

/**
 * Creates the id of an attempt: 128 random bits in hexadecimal; empty without a secure random
 * source, which encrypting rejects.
 */
export function newAttemptId(): string {
  try {
    return toHex(randomBytes(16))
  } catch {
    return ''
  }
}

/**
 * Runs an attempt in five steps: before, encrypt, authenticate, send, settle. It ends in exactly
 * one of `payment:success` and `payment:fail`, unless `payment:before` stopped it. Everything up to
 * the request runs synchronously, unless a step has to wait.
 * @param onAnswered runs after `payment:before`, which may have filled in the form
 */
export const runAttempt = (attempt: Attempt, onAnswered: () => void): void =>
  step(attempt, before, (_attempt, isWanted) => {
    const { mounted } = attempt
    mounted.stopped = isWanted ? 0 : mounted.stopped + 1
    if (mounted.stopped === 2) tell('warn', 'page.payment_prevented')
    onAnswered()
    if (isWanted) pay(attempt)
    else end(attempt, 'idle')
  })

/** Ends the attempt with `network.aborted`. */
export function abort(attempt: Attempt): Outcome {
  const outcome = attempt.sent ? 'unknown' : 'not_sent'
  fail(attempt, new Fault('network.aborted', { outcome }))
  return outcome
}
