import { type Context, Drop, filters } from 'liquidjs'
import { ExactNumber } from '../domain/json.ts'
import type { HtmlContext } from './html-contexts.ts'

/** What a filter sees of the rendering. */
export interface FilterScope {
  readonly context: Pick<Context, 'getSync' | 'memoryLimit'>
}

/** Result of the filter `json`, written as JSON wherever that is possible. */
export class Json {
  readonly text: string

  /** Counts the text for the memory limit before it exists. */
  constructor(value: unknown, scope: FilterScope) {
    this.text = (filters.json as (value: unknown) => string | undefined).call(scope, value) ?? ''
  }
}

/**
 * Returns a value as text: empty for an unknown value, JSON for lists and objects (observed: 11.1).
 */
export function printValue(value: unknown, scope: FilterScope): string {
  if (value === null || value === undefined || typeof value === 'function' || value instanceof Drop)
    return ''
  if (value instanceof Json) return value.text
  const isData = typeof value === 'object' && !(value instanceof ExactNumber)
  return isData ? new Json(value, scope).text : String(value)
}

/** Escaping of texts for each place in HTML: a value can never become markup or code there. */
const ESCAPES: Readonly<Record<HtmlContext, (text: string, own: readonly string[]) => string>> = {
  text: (text) => entities(text, /[&<>"'`]/g),
  bare: (text) => entities(text, /[^\w.:/-]/g),
  url: (text) => entities(harmlessAddress(text), /[^\w.:/?#%+,;@=-]/g),
  source: (text, own) => entities(ownAddress(text, own), /[^\w.:/?#%+,;@=-]/g),
  script: (text) => inQuotes(text),
  value: (text) => inQuotes(text),
  style: (text) => text.replace(/[^\p{L}\p{N} #%.,_-]/gu, ''),
  nowhere: () => '',
  part: (text) =>
    encodeURIComponent(text.toWellFormed()).replace(
      /[!'()*]/g,
      (character) => `%${hex(character, 2).toUpperCase()}`,
    ),
}

/**
 * Writes a value for its place in HTML.
 * @param own origins of our scripts
 */
export function writeValue(
  value: unknown,
  place: HtmlContext,
  scope: FilterScope,
  own: readonly string[],
): string {
  const text = printValue(value, scope)
  scope.context.memoryLimit.use(text.length)
  if (place === 'value' && value instanceof Json) return inScript(text)
  return ESCAPES[place](text, own)
}

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0')

const entities = (text: string, needed: RegExp): string =>
  text.replace(needed, (character) => `&#${String(character.charCodeAt(0))};`)

const escapeCharacter = (character: string): string =>
  character.split('').reduce((text, unit) => `${text}\\u${hex(unit, 4)}`, '')

/**
 * Writes a value for use within any quotes. If the page has no quotes there, a script gets only
 * words, which have no effect or do not parse; numbers and booleans are valid without quotes.
 */
const inQuotes = (text: string): string =>
  /^(?:-?\d{1,20}(?:\.\d{1,20})?|true|false)$/.test(text)
    ? text
    : text.replace(/[^\p{L}\p{N}_ ]/gu, escapeCharacter)

/** Escapes the characters in JSON that could end a script, a quotation or a line. */
const inScript = (json: string): string => json.replace(/[<>&'`$\u2028\u2029]/g, escapeCharacter)

/**
 * Allows addresses that cannot run code: web, mail, telephone, and paths of the page's own site.
 */
const harmlessAddress = (address: string): string =>
  /^\s*(?:https?:\/\/|mailto:|tel:|[/?#]|[\w.-]*(?:[/?#]|$))/i.test(address) ? address : '#'

const ownAddress = (address: string, own: readonly string[]): string =>
  own.some((origin) => address.startsWith(`${origin}/`)) ? address : ''
