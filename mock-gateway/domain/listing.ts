import { hasControlCharacters, isLongerThan } from './characters.ts'
import { GatewayError } from './errors/errors.ts'
import { isNested, type JsonValue } from './json.ts'
import { readAmountFilter } from './money/money.ts'

/** One condition on a field. */
export type Filter =
  | { readonly kind: 'equals'; readonly field: string; readonly value: string }
  /**
   * Parts between the wildcards, in order; the first and the last are anchored: `['a', '']` is
   * `a*`.
   */
  | { readonly kind: 'like'; readonly field: string; readonly parts: readonly string[] }
  | { readonly kind: 'boolean'; readonly field: string; readonly value: boolean }
  /** Both ends are inclusive; undefined is open. */
  | {
      readonly kind: 'range'
      readonly field: string
      readonly from: number | undefined
      readonly to: number | undefined
    }

/** Maximum number of wildcards in one filter; adjacent stars count as one (our decision). */
export const MAX_WILDCARDS = 5

/** Maximum length of a filter's value, in characters: the longest text that a field can contain. */
const MAX_VALUE = 2000

/**
 * Reads the value of `filter[field]`.
 * @returns the conditions; none if every row matches, as with `*` for a boolean
 * @throws errors.filter_value.not_supported
 */
export function readFilter(field: string, type: FieldType, value: JsonValue): readonly Filter[] {
  const sent = formatFilterValue(field, value)
  switch (type) {
    case 'string':
      return [createTextFilter(field, sent)]
    case 'word':
      return [createTextFilter(field, sent.toLowerCase())]
    case 'exact':
      if (sent.includes('*'))
        throw createBadValue(`filter[${field}] must be a complete value, without wildcards.`)
      return [{ kind: 'equals', field, value: sent }]
    case 'boolean':
      return createBooleanFilters(field, sent.toLowerCase())
    case 'integer':
      return [createRangeFilter(field, sent, (bound) => both(readInteger(bound)))]
    case 'decimal':
      return [createRangeFilter(field, sent, (bound) => both(readAmountFilter(bound)))]
    case 'date':
      return [createRangeFilter(field, sent, readDay)]
  }
}

/** Creates the error for a value in a list call. */
export const createBadValue = (explain: string): GatewayError =>
  new GatewayError('errors.filter_value.not_supported', { explain })

/** Reads a whole number in decimal digits, up to 2^53 - 1 either way; otherwise undefined. */
export function readInteger(written: string): number | undefined {
  const value = /^-?[0-9]{1,16}$/.test(written) ? Number(written) : undefined
  return Number.isSafeInteger(value) ? value : undefined
}

function formatFilterValue(field: string, value: JsonValue): string {
  const sent = isNested(value) ? undefined : String(value)
  if (value === null) return ''
  if (sent === undefined || isLongerThan(sent, MAX_VALUE) || hasControlCharacters(sent)) {
    throw createBadValue(`filter[${field}] must be a single value.`)
  }
  return sent
}

function createTextFilter(field: string, value: string): Filter {
  const parts = value.split(/\*+/)
  if (parts.length > MAX_WILDCARDS + 1)
    throw createBadValue(`filter[${field}] may contain at most ${MAX_WILDCARDS} wildcards (*).`)
  return parts.length === 1 ? { kind: 'equals', field, value } : { kind: 'like', field, parts }
}

const BOOLEAN_WORDS = [
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
] as const

function createBooleanFilters(field: string, value: string): readonly Filter[] {
  const { kind } = createTextFilter(field, value)
  const pattern =
    kind === 'like' && /^[a-z01*]+$/.test(value)
      ? new RegExp(`^${value.replace(/\*+/g, '.*')}$`)
      : undefined
  const fits = (word: string) => pattern?.test(word) ?? word === value
  const meanings = new Set(
    BOOLEAN_WORDS.filter(([word]) => fits(word)).map(([, meaning]) => meaning),
  )
  if (meanings.size === 0) throw createBadValue(`filter[${field}] must be true or false.`)
  return meanings.size === 2
    ? []
    : [...meanings].map((meaning) => ({ kind: 'boolean', field, value: meaning }))
}

/**
 * First and last number that a bound includes. They differ for dates, where a bound is a whole day.
 */
type ValueRange = readonly [first: number, last: number]

const both = (value: number | undefined): ValueRange | undefined =>
  value === undefined ? undefined : [value, value]

/** Returns the first and last millisecond of a day YYYYMMDD, UTC. */
function readDay(written: string): ValueRange | undefined {
  if (!/^[0-9]{8}$/.test(written)) return undefined
  const iso = `${written.slice(0, 4)}-${written.slice(4, 6)}-${written.slice(6)}`
  const start = Date.parse(`${iso}T00:00:00.000Z`)
  // A day outside its month gives an invalid date or another day.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(iso)) return undefined
  return [start, start + 24 * 60 * 60 * 1000 - 1]
}

function createRangeFilter(
  field: string,
  value: string,
  read: (written: string) => ValueRange | undefined,
): Filter {
  const bound = (written: string) => {
    const found = read(written)
    if (found !== undefined) return found
    throw createBadValue(
      `filter[${field}] must be a number (a date as YYYYMMDD) or a range such as 1..5, 1.. or ..5.`,
    )
  }
  const dots = value.indexOf('..')
  const [low, high] = dots === -1 ? [value, value] : [value.slice(0, dots), value.slice(dots + 2)]
  const from = low === '' && high !== '' ? undefined : bound(low)[0]
  const to = high === '' ? undefined : bound(high)[1]
  if (from !== undefined && to !== undefined && from > to)
    throw createBadValue(`The range in filter[${field}] ends before it starts.`)
  return { kind: 'range', field, from, to }
}

/**
 * How a field is compared (specification: Listing): `string` by equality or wildcard; `word`
 * likewise, ignoring case (stored in lower case: statuses, currencies, card types); `exact` only by
 * equality, so that a secret cannot be found letter by letter; `boolean` by equality or wildcard;
 * `integer`, `decimal` (hundredths) and `date` (epoch milliseconds) by equality or range.
 */
export type FieldType = 'string' | 'word' | 'exact' | 'boolean' | 'integer' | 'decimal' | 'date'

/** The fields a resource can be filtered and ordered by. Every resource has `id`. */
export type ResourceFields = Readonly<Record<string, FieldType>>

/** Selection and order of the rows in a list response. */
export interface Listing {
  /** Number of rows on the page, 1 to 1000. */
  readonly limit: number
  /** Number of skipped rows. */
  readonly offset: number
  /**
   * Restricts the list to ids from this one on: upwards, or downwards in descending order of any
   * field. If the list is ordered by another field than id, it need not begin with this row
   * (decision 37).
   */
  readonly startId: number | undefined
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' }
  /** Rows must match all of them. */
  readonly filters: readonly Filter[]
}

/**
 * Builds the Content-Range header of a page, with first and last counted from 1: `items 16-20/173`;
 * an empty page is `items 0-0/173` (specification: Listing; decision 10).
 * @param count rows on this page
 * @param total rows of the whole list
 */
export const formatContentRange = (offset: number, count: number, total: number): string =>
  count === 0 ? `items 0-0/${total}` : `items ${offset + 1}-${offset + count}/${total}`
