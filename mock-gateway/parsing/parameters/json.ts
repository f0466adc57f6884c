import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import { ExactNumber, isNested, type JsonValue, parseExactly } from '../../domain/json.ts'
import { checkUnicode } from './encoding.ts'

/** Options of `parseJson`. */
export interface JsonOptions {
  /** Name of the text in explanations, such as `The JSON body`. */
  readonly subject: string
  /** Error for text that is not JSON, is nested too deeply or repeats a key. */
  readonly error: ErrorName
  /** Maximum depth of lists and objects. */
  readonly depth: number
  /** Keeps numbers directly inside the outermost object or list as text. */
  readonly keepNumberText?: boolean
}

/**
 * Parses JSON (RFC 8259) more strictly than `JSON.parse`. The depth is limited, so no input
 * overflows the stack. A key may appear once in its object: otherwise one amount could be hashed
 * and another charged. Objects have no prototype, so every key is their own. A number keeps its
 * digits, even if a double cannot represent it. Keys keep their order, except that JavaScript puts
 * whole-number keys first.
 * @throws GatewayError `options.error`; errors.encoding.invalid for half a surrogate pair;
 *   errors.request.bad_format for a NUL character
 */
export function parseJson(text: string, options: JsonOptions): JsonValue {
  const malformed = (problem: string) =>
    new GatewayError(options.error, {
      explain: `${options.subject} cannot be read as JSON: ${problem}.`,
    })
  let plain: JsonValue
  try {
    plain = JSON.parse(text)
  } catch (error) {
    throw malformed(removeQuotedText((error as SyntaxError).message))
  }
  const { keys, depth, isExact } = measure(text)
  if (depth > options.depth)
    throw malformed(`the value has more than ${options.depth} nested levels`)
  const value = isExact ? plain : parseExactly(text)
  if (finish(value) < keys) throw malformed('an object contains the same key twice')
  return options.keepNumberText ? withNumberTexts(value) : value
}

/** Matches the start of a JSON object or list. */
export const OPENING = /^\s*[{[]/

/**
 * Like `parseJson`, but parses a JSON string that contains JSON again, because some clients encode
 * it twice (our decision).
 */
export function parseJsonText(text: string, options: JsonOptions): JsonValue {
  const value = parseJson(text, options)
  return typeof value === 'string' && OPENING.test(value) ? parseJson(value, options) : value
}

/** Removes the part of the text that V8 quotes in its message: it can contain card data. */
const removeQuotedText = (message: string) => message.replace(/, (?:\.{3})?".*/s, '')

/** Parts of valid JSON: strings, keys with their colon, the ends of objects and lists, numbers. */
const PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\]]|-?\d[\d.eE+-]*/g

/** Counts the keys and levels of valid JSON, and finds numbers that JavaScript writes otherwise. */
function measure(text: string): { keys: number; depth: number; isExact: boolean } {
  let keys = 0
  let level = 0
  let depth = 0
  let isExact = true
  for (const part of text.match(PARTS) ?? []) {
    if (part === '{' || part === '[') {
      level += 1
      depth = Math.max(depth, level)
    } else if (part === '}' || part === ']') level -= 1
    else if (part.endsWith(':')) keys += 1
    else if (!part.startsWith('"')) isExact &&= String(Number(part)) === part
  }
  return { keys, depth, isExact }
}

/**
 * Checks the texts of a value, and removes the prototypes of its objects.
 * @returns the number of all members: of a repeated key, one is left
 */
function finish(value: JsonValue): number {
  if (typeof value === 'string') checkUnicode(value)
  if (!isNested(value)) return 0
  if (Array.isArray(value)) return value.reduce((members, each) => members + finish(each), 0)
  const entries = Object.entries(value)
  Object.setPrototypeOf(value, null)
  for (const [key] of entries) checkUnicode(key)
  return entries.reduce((members, [, each]) => members + finish(each), entries.length)
}

/** Turns the numbers directly inside an object or list into their texts. */
function withNumberTexts(value: JsonValue): JsonValue {
  const members = isNested(value) ? (value as { [key: string]: JsonValue }) : {}
  for (const [name, member] of Object.entries(members))
    if (typeof member === 'number' || member instanceof ExactNumber) members[name] = String(member)
  return value
}
