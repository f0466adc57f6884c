import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import { exactNumber, type JsonValue } from '../../domain/json.ts'
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
  return new JsonReader(text, options).document()
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

const BLANKS = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** Reads one text in one pass; every method sets `at` to the position after its part. */
class JsonReader {
  private readonly text: string
  private readonly options: JsonOptions
  private at = 0
  private depth = 0

  constructor(text: string, options: JsonOptions) {
    this.text = text
    this.options = options
  }

  document(): JsonValue {
    const value = this.value()
    this.skipBlanks()
    if (this.at < this.text.length) throw this.malformed('text follows the end of the value')
    return value
  }

  private value(): JsonValue {
    this.skipBlanks()
    switch (this.text[this.at]) {
      case '{':
        return this.nested(() => this.object())
      case '[':
        return this.nested(() => this.list())
      case '"':
        return this.string()
      default:
        return this.wordOrNumber()
    }
  }

  private nested(read: () => JsonValue): JsonValue {
    this.depth += 1
    if (this.depth > this.options.depth)
      throw this.malformed(`the value has more than ${this.options.depth} nested levels`)
    this.at += 1
    const value = read()
    this.depth -= 1
    return value
  }

  private object(): JsonValue {
    const members: { [key: string]: JsonValue } = Object.create(null)
    if (this.skip('}')) return members
    do {
      const key = this.key()
      if (key in members) throw this.malformed('an object contains the same key twice')
      members[key] = this.value()
    } while (this.skip(','))
    this.expect('}')
    return members
  }

  private key(): string {
    this.skipBlanks()
    if (this.text.charCodeAt(this.at) !== QUOTE)
      throw this.malformed('a key in double quotes is missing')
    const key = this.string()
    this.expect(':')
    return key
  }

  private list(): JsonValue {
    const values: JsonValue[] = []
    if (this.skip(']')) return values
    do values.push(this.value())
    while (this.skip(','))
    this.expect(']')
    return values
  }

  private string(): string {
    const start = this.at
    let escaped = false
    for (this.at += 1; ; this.at += 1) {
      const code = this.text.charCodeAt(this.at)
      if (code === QUOTE) break
      // At the end of the text the code is NaN, which this comparison also rejects.
      if (!(code >= SPACE))
        throw this.malformed('a string has no end or contains a control character')
      if (code === BACKSLASH) {
        escaped = true
        this.at += 1
      }
    }
    this.at += 1
    if (escaped) return this.unescape(this.text.slice(start, this.at))
    return this.text.slice(start + 1, this.at - 1)
  }

  private unescape(literal: string): string {
    let text: string
    try {
      text = JSON.parse(literal)
    } catch {
      throw this.malformed('a string contains an unknown escape')
    }
    return checkUnicode(text)
  }

  private wordOrNumber(): JsonValue {
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return value
      }
    }
    NUMBER.lastIndex = this.at
    const source = NUMBER.exec(this.text)?.[0]
    if (source === undefined) throw this.malformed('a value is missing')
    this.at += source.length
    return this.number(source)
  }

  private number(source: string): JsonValue {
    if (this.options.keepNumberText && this.depth === 1) return source
    return exactNumber(source)
  }

  private expect(character: string): void {
    if (!this.skip(character)) throw this.malformed(`${character} is missing`)
  }

  private skip(character: string): boolean {
    this.skipBlanks()
    if (this.text[this.at] !== character) return false
    this.at += 1
    return true
  }

  private skipBlanks(): void {
    if (this.text.charCodeAt(this.at) > SPACE) return
    BLANKS.lastIndex = this.at
    BLANKS.test(this.text)
    this.at = BLANKS.lastIndex
  }

  private malformed(problem: string): GatewayError {
    return new GatewayError(this.options.error, {
      explain: `${this.options.subject} cannot be read as JSON: at character ${this.at + 1} ${problem}.`,
    })
  }
}
