import { Drop } from 'liquidjs'
import { ExactNumber } from '../domain/json.ts'
import type { HtmlContext } from './html-contexts.ts'

/** Result of the filter `json`, written as JSON wherever that is possible. */
export class Json {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  toString(): string {
    return jsonText(this.value)
  }
}

/**
 * Returns a value as text: empty for an unknown value, JSON for lists and objects (observed: 11.1).
 */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'function' || value instanceof Drop)
    return ''
  if (value instanceof ExactNumber || value instanceof Json) return value.toString()
  return typeof value === 'object' ? jsonText(value) : String(value)
}

const jsonText = (value: unknown): string => JSON.stringify(value) ?? ''

/** Escaping of values for each place in HTML: a value can never become markup or code there. */
export const WRITERS: Readonly<
  Record<HtmlContext, (value: unknown, own: readonly string[]) => string>
> = {
  text: (value) => entities(textOf(value), /[&<>"'`]/g),
  bare: (value) => entities(textOf(value), /[^\w.:/-]/g),
  url: (value) => entities(harmlessAddress(textOf(value)), /[^\w.:/?#%+,;@=-]/g),
  source: (value, own) => entities(ownAddress(textOf(value), own), /[^\w.:/?#%+,;@=-]/g),
  script: (value) => inQuotes(textOf(value)),
  value: (value) => (value instanceof Json ? inScript(value.toString()) : inQuotes(textOf(value))),
  style: (value) => textOf(value).replace(/[^\p{L}\p{N} #%.,_-]/gu, ''),
  nowhere: () => '',
  part: (value) =>
    encodeURIComponent(textOf(value).toWellFormed()).replace(
      /[!'()*]/g,
      (character) => `%${hex(character, 2).toUpperCase()}`,
    ),
}

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0')

const entities = (text: string, needed: RegExp): string =>
  text.replace(needed, (character) => `&#${String(character.charCodeAt(0))};`)

const escapeCharacter = (character: string): string =>
  [...character].map((one) => units(one)).join('')

const units = (one: string): string =>
  one.split('').reduce((text, unit) => `${text}\\u${hex(unit, 4)}`, '')

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
