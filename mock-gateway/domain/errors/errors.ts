import type { ApiError } from '../../contract/wire.ts'
import type { Locale } from '../language/languages.ts'
import type { CatalogueRow } from './catalogue/row.ts'
import { CATALOGUE } from './catalogue.ts'
import { descriptionIn } from './descriptions.ts'

/** Name of an error the specification knows, such as `errors.payment.declined`. */
export type ErrorName = (typeof CATALOGUE)[number]['name']

/** A row of the catalogue, its name known to the type checker. */
export interface CatalogueEntry extends CatalogueRow {
  readonly name: ErrorName
}

/**
 * What tells a row of the catalogue from all others: its name, or its code where an earlier row has
 * that name. Transactions keep it of the error they failed with.
 */
export type ErrorKey = ErrorName | '2301'

const ROWS: readonly CatalogueEntry[] = CATALOGUE

// A Map keeps the last value of a key, so the rows are read backwards: the first row of a double
// wins.
const BY_NAME: ReadonlyMap<string, CatalogueEntry> = new Map(
  ROWS.toReversed().map((row) => [row.name, row]),
)
const BY_CODE: ReadonlyMap<number, CatalogueEntry> = new Map(
  ROWS.toReversed().map((row) => [row.code, row]),
)

/**
 * The row with this name, or undefined. `errors.item.missing_or_too_long.description` gives 230,
 * not 2301.
 */
export function entryByName(name: string): CatalogueEntry | undefined {
  return BY_NAME.get(name)
}

/**
 * The row with this code, or undefined. 1290 gives `errors.payment.failed`, not
 * `errors.payment.canceled`.
 */
export function entryByCode(code: number): CatalogueEntry | undefined {
  return BY_CODE.get(code)
}

export const keyOf = (row: CatalogueEntry): ErrorKey =>
  entryByName(row.name) === row ? row.name : (String(row.code) as ErrorKey)

const BY_KEY: ReadonlyMap<string, CatalogueEntry> = new Map(ROWS.map((row) => [keyOf(row), row]))

/**
 * The row with this key. @throws TypeError when it is none, which the type checker already refuses.
 */
export function entryByKey(key: ErrorKey): CatalogueEntry {
  const entry = BY_KEY.get(key)
  if (entry === undefined) throw new TypeError(`The error catalogue has no ${key}`)
  return entry
}

/**
 * The JSON body that answers a refused call: name, code and description in this order
 * (specification: Errors).
 * @param description said instead of the catalogue's
 */
export function errorBody(entry: CatalogueEntry, locale: Locale, description?: string): ApiError {
  return {
    name: entry.name,
    code: entry.code,
    description: description ?? descriptionIn(entry, locale),
  }
}

/** What else a refusal may carry. */
export interface GatewayErrorOptions {
  /**
   * One English sentence for the integrator: what was wrong and what would be right. Answered as
   * the header `Mondido-Explain`. Never card data, never a secret.
   */
  readonly explain?: string | undefined
  /**
   * Said instead of the catalogue's description, in both languages (specification:
   * service_instructions).
   */
  readonly description?: string | undefined
  /** The failure underneath, for the log only. */
  readonly cause?: unknown
  /** Answered instead of the catalogue's status where the fault is not the client's. */
  readonly http?: 429 | 500 | 503
}

/**
 * The one error that stops a request. Its message is the name of a catalogue row, which knows code,
 * HTTP status and both descriptions.
 */
export class GatewayError extends Error {
  readonly entry: CatalogueEntry
  readonly http: CatalogueRow['http'] | 429 | 500 | 503
  readonly explain: string | undefined
  readonly description: string | undefined

  /** @throws TypeError as `entryByKey` does */
  constructor(key: ErrorKey, options: GatewayErrorOptions = {}) {
    const entry = entryByKey(key)
    super(entry.name, options)
    this.name = 'GatewayError'
    this.entry = entry
    this.http = options.http ?? entry.http
    this.explain = options.explain
    this.description = options.description
  }
}
