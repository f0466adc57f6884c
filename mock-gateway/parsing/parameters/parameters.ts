import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import {
  isObject,
  type JsonList,
  type JsonObject,
  type JsonValue,
  nameForExplain,
  text,
} from '../../domain/json.ts'
import { parseSpelling } from './spellings.ts'

/**
 * The parameters of one request, whatever they came in: query, form or JSON body. A number that a
 * JSON body gives to a parameter is kept as the text that was sent, because the hash covers that
 * text: `10.00` stays `10.00`. Numbers deeper down, in metadata for instance, are numbers of the
 * same digits (our decision). Every text is well-formed Unicode without NUL characters; objects
 * have no prototype.
 */
export type Parameters = JsonObject

/** The parameters of a call that reads only these names: what else was sent it cannot see. */
export type CallParameters<Name extends string> = { readonly [N in Name]?: JsonValue | undefined }

/**
 * Takes out of the parameters what a call reads; its names are a list that the contract is held
 * against.
 */
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

/** How `list` reads what is not a list. */
export interface ListOptions {
  /**
   * A single object counts as a list of one, as with `webhook` (observed: Object-valued fields).
   */
  readonly single?: boolean
}

/** The parameters that are booleans, whatever the call. */
export const FLAG_FIELDS = ['test', 'process', 'authorize', 'store_card', 'recurring'] as const

/**
 * What booleans look like on the wire, in lower case (observed: Scalars). A ticked HTML check box
 * sends `on`.
 */
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  on: true,
  false: false,
  '0': false,
}

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/

/**
 * Keys of a list written as an object: short enough that JavaScript keeps them in ascending order
 * by itself.
 */
const LIST_INDEX = /^(?:0|[1-9]\d{0,8})$/

/**
 * A boolean: `true`, `1` or `on`, `false` or `0`, in any case; undefined when unset. Of one that is
 * sent twice the last value counts, since forms put a hidden 0 before a check box: see `insert`.
 * @throws GatewayError errors.request.bad_format for anything else: a misspelt `test` must not
 *   become a live payment (our decision)
 */
export function flag<Name extends (typeof FLAG_FIELDS)[number]>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
): boolean | undefined {
  return yesOrNo(parameters, name)
}

/** As `flag`, of any name. */
export function yesOrNo<Name extends string>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
): boolean | undefined {
  const sent = text(parameters, name)?.toLowerCase()
  if (sent === undefined) return undefined
  if (!Object.hasOwn(FLAGS, sent))
    throw wrongShape('errors.request.bad_format', name, 'true or false')
  return FLAGS[sent]
}

/**
 * A whole number in plain decimal digits, at most 2^53 - 1 either way; undefined when unset. No
 * sign `+`, exponent, fraction or leading zero.
 * @throws GatewayError with the given name when it is anything else
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
    throw wrongShape(errorName, name, 'a whole number')
  return value
}

/**
 * An object in any of its spellings: a real one, JSON text, URL-encoded JSON text, base64 of JSON
 * (observed: Object-valued fields). Undefined when unset; an empty list is unset too, because PHP
 * writes an empty array so.
 * @throws GatewayError errors.json.malformed when its text is not JSON in any spelling; with the
 *   given name when it is a scalar or a list
 */
export function object<Name extends string>(
  parameters: CallParameters<NoInfer<Name>>,
  name: Name,
  errorName: ErrorName,
): JsonObject | undefined {
  const value = parseSpelling(parameters, name)
  if (value === undefined || isEmptyList(value)) return undefined
  if (!isObject(value)) throw wrongShape(errorName, name, 'an object')
  return value
}

/**
 * A list, in the same spellings as `object`; undefined when unset. An object whose keys are all
 * whole numbers, as PHP writes lists, counts as the list of its values in the order of the numbers,
 * whatever the gaps.
 * @throws GatewayError errors.json.malformed when its text is not JSON in any spelling; with the
 *   given name when it is neither a list nor, with `single`, an object
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
  throw wrongShape(errorName, name, 'a list')
}

function isList(value: JsonValue): value is JsonList {
  return Array.isArray(value)
}

function isEmptyList(value: JsonValue): boolean {
  return isList(value) && value.length === 0
}

function wrongShape(errorName: ErrorName, name: string, expected: string): GatewayError {
  return new GatewayError(errorName, { explain: `${nameForExplain(name)} must be ${expected}` })
}
