import { badFormat } from './errors/errors.ts'

/** A list of JSON values. */
export type JsonList = readonly JsonValue[]

/** Named JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A JSON value, as in parameters, metadata and JSON columns. */
export type JsonValue = string | number | boolean | null | ExactNumber | JsonList | JsonObject

/**
 * A number that JavaScript would write with other digits, such as `1.50`, `1e21` or
 * `12345678901234567890`.
 */
export class ExactNumber {
  /** As written in the request (RFC 8259, section 6). */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  toJSON(): unknown {
    return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(this.text)
  }
}

/** Reads a JSON number so that it is written with the same digits again. */
export function parseExactNumber(source: string): number | ExactNumber {
  const value = Number(source)
  return String(value) === source ? value : new ExactNumber(source)
}

const withExactNumbers = (
  _key: string,
  value: unknown,
  { source }: { readonly source?: string },
): unknown => (typeof value === 'number' && source !== undefined ? parseExactNumber(source) : value)

/** Parses JSON so that its numbers are written with the same digits again. */
export const parseExactly = (text: string) =>
  JSON.parse(text, withExactNumbers as Parameters<typeof JSON.parse>[1])

/** Indents the text of a JSON object or list. Returns any other text unchanged. */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(parseExactly(text), null, 2)
  } catch {
    return text
  }
}

/** Returns true for a list or an object. */
export function isNested(value: JsonValue | undefined): value is JsonList | JsonObject {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

/** Returns true for an object that is not a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return isNested(value) && !Array.isArray(value)
}

/** Maximum depth of nested lists and objects in a value (our decision). */
export const MAX_DEPTH = 16

/** An object of which only these members are read. */
type Members<Name extends string> = { readonly [N in Name]?: JsonValue | undefined }

/**
 * Returns a member as text. Missing, null and empty are all undefined, because clients send empty
 * texts for unset fields (observed: Scalars).
 * @throws errors.request.bad_format for a list or an object
 */
export function text<Name extends string>(
  object: Members<NoInfer<Name>>,
  name: Name,
): string | undefined {
  if (!isSent(object, name)) return undefined
  const value = object[name]
  if (isNested(value)) throw badFormat(`${nameForExplain(name)} must be a single value.`)
  return String(value)
}

/**
 * Returns true if a member has a value: missing, null and an empty text count as unset (observed:
 * Scalars).
 */
export function isSent<Name extends string>(object: Members<NoInfer<Name>>, name: Name): boolean {
  const value = object[name]
  return value !== undefined && value !== null && value !== ''
}

/**
 * Returns a parameter's name for an explanation. Texts that do not look like names are not
 * repeated: if a body has the wrong format, its values, including card data, can appear as names.
 */
export function nameForExplain(name: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(name) ? `The parameter ${name}` : 'A parameter'
}

/** An object without the members that are undefined. */
export type WithoutUndefined<Members extends object> = {
  readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>
}

/** Leaves out the members that are undefined. */
export const removeUndefined = <Members extends object>(
  members: Members,
): WithoutUndefined<Members> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<Members>
