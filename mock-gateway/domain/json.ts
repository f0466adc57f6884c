import { GatewayError } from './errors/errors.ts'

/** A list of JSON values. */
export type JsonList = readonly JsonValue[]

/** Named JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** What JSON can say: what parameters, metadata and columns of free form hold. */
export type JsonValue = string | number | boolean | null | ExactNumber | JsonList | JsonObject

/**
 * A number that JavaScript would write in other digits, such as `1.50`, `1e21` or
 * `12345678901234567890`.
 */
export class ExactNumber {
  /** As it was written (RFC 8259, section 6). */
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

/** The number that a text of JSON spells; it is written in the same digits again. */
export function exactNumber(source: string): number | ExactNumber {
  const value = Number(source)
  return String(value) === source ? value : new ExactNumber(source)
}

/** Tells a list or an object from a value that holds no others. */
export function isNested(value: JsonValue | undefined): value is JsonList | JsonObject {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

/** Tells an object from every other value, lists included. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return isNested(value) && !Array.isArray(value)
}

/** Levels of lists and objects one value may nest (our decision). */
export const MAX_DEPTH = 16

/** An object of which only these members matter. */
type Members<Name extends string> = { readonly [N in Name]?: JsonValue | undefined }

/**
 * The text of a member, a parameter say. Not sent, null and an empty text are all undefined,
 * because clients send empty texts for what they leave unset (observed: Scalars).
 * @throws errors.request.bad_format when it is a list or an object
 */
export function text<Name extends string>(
  object: Members<NoInfer<Name>>,
  name: Name,
): string | undefined {
  if (!isSent(object, name)) return undefined
  const value = object[name]
  if (isNested(value))
    throw new GatewayError('errors.request.bad_format', {
      explain: `${nameForExplain(name)} must be a single value`,
    })
  return String(value)
}

/**
 * Whether a member says anything: not sent, null and an empty text are the same (observed:
 * Scalars).
 */
export function isSent<Name extends string>(object: Members<NoInfer<Name>>, name: Name): boolean {
  const value = object[name]
  return value !== undefined && value !== null && value !== ''
}

/**
 * A parameter's name for an explanation. What does not look like a name is not repeated: when a
 * body is sent in the wrong format, its values, card data among them, end up where names are
 * expected.
 */
export function nameForExplain(name: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(name) ? `The parameter ${name}` : 'A parameter'
}
