import { findEntry, GatewayError, getKey } from '../errors/errors.ts'
import { isNested, isObject, type JsonObject, type JsonValue, MAX_DEPTH } from '../json.ts'
import type { ForcedOutcome } from './decision.ts'

/**
 * Merges new metadata into a transaction's metadata (specification: Update transaction). Objects
 * are merged key by key at every depth; other values, including lists, are replaced (our decision).
 * Neither argument is changed.
 * @returns objects without a prototype, in which `__proto__` is an ordinary key; keys of `existing`
 *   come first
 * @throws errors.metadata.invalid for more than 16 levels, or more than 65,536 characters of JSON
 */
export function mergeMetadata(existing: JsonObject | null, added: JsonObject): JsonObject {
  const merged = mergeObjects(mergeObjects(undefined, existing ?? {}, 1), added, 1)
  if (JSON.stringify(merged).length <= LONGEST) return merged
  throw new GatewayError('errors.metadata.invalid', {
    explain: `Metadata may have at most ${LONGEST} characters of JSON, including the stored metadata.`,
  })
}

const LONGEST = 64 * 1024

function mergeObjects(
  before: JsonObject | undefined,
  after: JsonObject,
  depth: number,
): JsonObject {
  const merged: Record<string, JsonValue> = Object.assign(Object.create(null), before)
  for (const [key, value] of Object.entries(after)) {
    merged[key] = mergeValues(merged[key], value, depth + 1)
  }
  return merged
}

function mergeValues(before: JsonValue | undefined, after: JsonValue, depth: number): JsonValue {
  if (!isNested(after)) return after
  if (depth > MAX_DEPTH) {
    const explain = `Metadata may have at most ${MAX_DEPTH} nested levels of objects and lists.`
    throw new GatewayError('errors.metadata.invalid', { explain })
  }
  if (isObject(after)) return mergeObjects(isObject(before) ? before : undefined, after, depth)
  return after.map((item) => mergeValues(undefined, item, depth + 1))
}

/** Metadata keys that a payer must not set: they control the test, or the offers of the page. */
export const STEERING_KEYS: readonly string[] = ['service_instructions', 'plans']

/** Returns a test's requests in the metadata (specification: Metadata); empty without them. */
export function getServiceInstructions(metadata: JsonObject | null): JsonObject {
  const instructions = metadata?.service_instructions
  return isObject(instructions) ? instructions : {}
}

/** A test's request for a failure. */
export interface FailureInstructions {
  /** Name or number of a catalogue error; not checked here. */
  readonly failAsCode?: string
  /** Free text. */
  readonly failAsMessage?: string
}

/** Reads the request for a failure; values other than text and numbers are ignored. */
export function readFailureInstructions(metadata: JsonObject | null): FailureInstructions {
  const instructions = getServiceInstructions(metadata)
  const failAsCode = formatScalar(instructions.fail_as_code)
  const failAsMessage = formatScalar(instructions.fail_as_message)
  return { ...(failAsCode && { failAsCode }), ...(failAsMessage && { failAsMessage }) }
}

const formatScalar = (value: JsonValue | undefined): string =>
  value === null || typeof value === 'boolean' || isNested(value) ? '' : String(value ?? '').trim()

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
export function readCaptureInstructions(metadata: JsonObject | null): CaptureAnswer | undefined {
  const { capture } = getServiceInstructions(metadata)
  if (!isObject(capture)) return undefined
  const requested = Number(capture.seconds ?? USUAL_CAPTURE)
  const seconds =
    Number.isInteger(requested) && requested >= 1 && requested <= LONGEST_CAPTURE
      ? requested
      : USUAL_CAPTURE
  const entry = findEntry(String(capture.fail_as_code ?? '').trim())
  return { seconds, outcome: entry ? getKey(entry) : 'approved' }
}
