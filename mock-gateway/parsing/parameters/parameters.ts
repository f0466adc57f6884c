import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import {
  isObject,
  type JsonList,
  type JsonObject,
  type JsonValue,
  MAX_DEPTH,
  nameForExplain,
  text,
} from '../../domain/json.ts'
import { percentDecode, readBase64, readText } from './encoding.ts'
import { OPENING, parseJsonText } from './json.ts'

/**
 * The parameters of a request from its query, form or JSON body. A number of a top-level parameter
 * in JSON is kept as the text that was sent, because the hash covers that text: `10.00` stays
 * `10.00`. Nested numbers, for example in metadata, are numbers with the same digits (our
 * decision). Every text is well-formed Unicode without NUL characters; objects have no prototype.
 */
export type Parameters = JsonObject

/** The parameters that a call reads; it cannot access others. */
export type CallParameters<Name extends string> = { readonly [N in Name]?: JsonValue | undefined }

/** Picks the parameters that a call reads; tests compare each list of names with the contract. */
export function pick<Name extends string>(
  parameters: Parameters,
  names: readonly Name[],
): CallParameters<Name> {
  const picked: { [N in Name]?: JsonValue } = Object.create(null)
  for (const name of names) {
    const value = parameters[name]
    if (value !== undefined) picked[name] = value
  }
  return picked
}

export { isSent, text } from '../../domain/json.ts'

/** Options of `list`. */
export interface ListOptions {
  /**
   * Accepts a single object as a list of one, as with `webhook` (observed: Object-valued fields).
   */
  readonly single?: boolean
}

/** Boolean parameters of all calls. */
export const FLAG_FIELDS = ['test', 'process', 'authorize', 'store_card', 'recurring'] as const

/** Spellings of booleans, in lower case (observed: Scalars). A ticked HTML check box sends `on`. */
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  on: true,
  false: false,
  '0': false,
}

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/

/**
 * Keys of a list written as an object: short enough that JavaScript keeps them in ascending order.
 */
const LIST_INDEX = /^(?:0|[1-9]\d{0,8})$/

/**
 * Reads a boolean: `true`, `1` or `on`, `false` or `0`, in any case; undefined if unset. If it is
 * sent twice, the last value counts, since forms put a hidden 0 before a check box: see `insert`.
 * @throws GatewayError errors.request.bad_format for other values: a misspelt `test` must not
 *   become a live payment (our decision)
 */
export function flag<Name extends (typeof FLAG_FIELDS)[number]>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
): boolean | undefined {
  return readYesOrNo(parameters, name)
}

/** Like `flag`, for any name. */
export function readYesOrNo<Name extends string>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
): boolean | undefined {
  const sent = text(parameters, name)?.toLowerCase()
  if (sent === undefined) return undefined
  if (!Object.hasOwn(FLAGS, sent))
    throw createShapeError('errors.request.bad_format', name, 'true or false')
  return FLAGS[sent]
}

/**
 * Reads a whole number in plain decimal digits, at most 2^53 - 1 either way; undefined if unset. No
 * sign `+`, exponent, fraction or leading zero.
 * @throws GatewayError with the given name for other values
 */
export function integer<Name extends string>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
  errorName: ErrorName,
): number | undefined {
  const sent = text(parameters, name)
  if (sent === undefined) return undefined
  const value = Number(sent)
  if (!WHOLE_NUMBER.test(sent) || !Number.isSafeInteger(value))
    throw createShapeError(errorName, name, 'a whole number')
  return value
}

/**
 * Reads an object in any spelling: an object, JSON text, URL-encoded JSON text, base64 of JSON
 * (observed: Object-valued fields). Undefined if unset; an empty list also counts as unset, because
 * PHP writes an empty array like that.
 * @throws GatewayError errors.json.malformed if its text is not JSON in any spelling; with the
 *   given name for a scalar or a list
 */
export function object<Name extends string>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
  errorName: ErrorName,
): JsonObject | undefined {
  const value = parseSpelling(parameters, name)
  if (value === undefined || isEmptyList(value)) return undefined
  if (!isObject(value)) throw createShapeError(errorName, name, 'an object')
  return value
}

/**
 * Reads a list in the spellings of `object`; undefined if unset. An object with only whole-number
 * keys, as PHP writes lists, becomes the list of its values in the order of the keys, even with
 * gaps.
 * @throws GatewayError errors.json.malformed if its text is not JSON in any spelling; with the
 *   given name if it is neither a list nor, with `single`, an object
 */
export function list<Name extends string>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
  errorName: ErrorName,
  options: ListOptions = {},
): JsonList | undefined {
  const value = parseSpelling(parameters, name)
  if (value === undefined || isList(value)) return value
  if (isObject(value)) {
    if (Object.keys(value).every((key) => LIST_INDEX.test(key))) return Object.values(value)
    if (options.single) return [value]
  }
  throw createShapeError(errorName, name, 'a list')
}

function isList(value: JsonValue): value is JsonList {
  return Array.isArray(value)
}

function isEmptyList(value: JsonValue): boolean {
  return isList(value) && value.length === 0
}

function createShapeError(errorName: ErrorName, name: string, expected: string): GatewayError {
  return new GatewayError(errorName, { explain: `${nameForExplain(name)} must be ${expected}.` })
}

/** The start of a JSON object, list or text, percent-encoded. */
const ENCODED_OPENING = /^%(?:7B|5B|22)/i

/**
 * Parses a field that should contain an object or a list: the value itself, or its JSON in any
 * spelling (specification: Endpoints, JSON text; observed: Object-valued fields, the other
 * spellings).
 * @returns undefined if the field is unset: missing, null or empty, or the JSON text `null`
 * @throws GatewayError errors.json.malformed if the text is not JSON in any spelling; the errors of
 *   `parseJson`
 */
export function parseSpelling<Name extends string>(
  parameters: { readonly [N in Name]?: JsonValue | undefined },
  name: Name,
): JsonValue | undefined {
  const value = parameters[name]
  if (typeof value !== 'string') return value ?? undefined
  if (value.trim() === '') return undefined
  const options = {
    subject: nameForExplain(name),
    error: 'errors.json.malformed',
    depth: MAX_DEPTH,
  } as const
  return parseJsonText(writeJson(value), options) ?? undefined
}

function writeJson(text: string): string {
  if (OPENING.test(text)) return text
  if (ENCODED_OPENING.test(text)) return percentDecode(text)
  return fromBase64(text) ?? text
}

/**
 * Decodes base64; undefined if the result does not begin like JSON, as for the words `null` and
 * `true`.
 */
function fromBase64(text: string): string | undefined {
  const bytes = readBase64(text)
  if (bytes === undefined || !/^\s*[{["]/.test(bytes.toString('latin1'))) return undefined
  return readText(bytes)
}

/**
 * Reads the status of a plan, a stored card or a subscription, in any case. Clients that send an
 * object back unchanged also send `active`, so both values are accepted.
 * @throws errors.status.invalid (148)
 */
export function readActiveOrCancelled(
  sent: string | undefined,
  explain: string,
): 'active' | 'cancelled' | undefined {
  const status = sent?.toLowerCase()
  if (status === undefined || status === 'active' || status === 'cancelled') return status
  throw new GatewayError('errors.status.invalid', { explain })
}
