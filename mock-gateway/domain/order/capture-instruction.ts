import { findEntryByCode, findEntryByName, getKey } from '../errors/errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { ForcedOutcome } from './decision.ts'

/** The bank's answer to a capture and its delay in seconds; 0: immediately. */
export interface CaptureAnswer {
  readonly outcome: ForcedOutcome
  readonly seconds: number
}

/** Longest delay of a capture, in seconds: thirty days. */
export const LONGEST_CAPTURE = 30 * 86_400

/** Default delay in seconds. */
export const USUAL_CAPTURE = 60

/**
 * Reads the instructions for a capture in a payment's metadata (decision 89):
 * `service_instructions: { capture: { seconds: 60, fail_as_code: "errors.payment.declined" } }`.
 * Invalid values are ignored.
 */
export function captureInstruction(metadata: JsonObject | null): CaptureAnswer | undefined {
  const instructions = metadata?.service_instructions
  const capture = isObject(instructions) ? instructions.capture : undefined
  if (!isObject(capture)) return undefined
  const requested = Number(capture.seconds ?? USUAL_CAPTURE)
  const seconds =
    Number.isInteger(requested) && requested >= 1 && requested <= LONGEST_CAPTURE
      ? requested
      : USUAL_CAPTURE
  const code = String(capture.fail_as_code ?? '').trim()
  const entry = findEntryByName(code) ?? findEntryByCode(Number(code))
  return { seconds, outcome: entry ? getKey(entry) : 'approved' }
}
