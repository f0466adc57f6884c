import { entryByCode, entryByName, keyOf } from '../errors/errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { ForcedOutcome } from './decision.ts'

/** How the bank answers a capture, and after how many seconds; 0: at once. */
export interface CaptureAnswer {
  readonly outcome: ForcedOutcome
  readonly seconds: number
}

/** Longest that a bank takes for a capture, in seconds: thirty days. */
export const LONGEST_CAPTURE = 30 * 86_400

/** Seconds that it takes where nobody says how many. */
export const USUAL_CAPTURE = 60

/**
 * What a payment's metadata ask of the bank for its capture (decision 89): `service_instructions: {
 * capture: { seconds: 60, fail_as_code: "errors.payment.declined" } }`. Anything else there counts
 * as not given.
 */
export function captureInstruction(metadata: JsonObject | null): CaptureAnswer | undefined {
  const instructions = metadata?.service_instructions
  const capture = isObject(instructions) ? instructions.capture : undefined
  if (!isObject(capture)) return undefined
  const asked = Number(capture.seconds ?? USUAL_CAPTURE)
  const seconds =
    Number.isInteger(asked) && asked >= 1 && asked <= LONGEST_CAPTURE ? asked : USUAL_CAPTURE
  const code = String(capture.fail_as_code ?? '').trim()
  const entry = entryByName(code) ?? entryByCode(Number(code))
  return { seconds, outcome: entry ? keyOf(entry) : 'approved' }
}
