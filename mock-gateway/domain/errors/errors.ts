import type { ApiError } from '../../contract/wire.ts'
import type { Locale } from '../language/languages.ts'
import { CATALOGUE, type CatalogueRow, getDescription } from './catalogue.ts'

/** Name of an error the specification knows, such as `errors.payment.declined`. */
export type ErrorName = (typeof CATALOGUE)[number]['name']

/** A row of the catalogue, with its name as a literal type. */
export interface CatalogueEntry extends CatalogueRow {
  readonly name: ErrorName
}

/**
 * Unique key of a row: its name, or its code if an earlier row has the same name. Failed
 * transactions store it.
 */
export type ErrorKey = ErrorName | '2301'

const ROWS: readonly CatalogueEntry[] = CATALOGUE

// A Map keeps the last value of a key, so the rows are added in reverse: the first row of a
// duplicate wins.
const BY_NAME: ReadonlyMap<string, CatalogueEntry> = new Map(
  ROWS.toReversed().map((row) => [row.name, row]),
)
const BY_CODE: ReadonlyMap<number, CatalogueEntry> = new Map(
  ROWS.toReversed().map((row) => [row.code, row]),
)

/** Finds a row by name. `errors.item.missing_or_too_long.description` returns 230, not 2301. */
export function findEntryByName(name: string): CatalogueEntry | undefined {
  return BY_NAME.get(name)
}

/** Finds a row by code. 1290 returns `errors.payment.failed`, not `errors.payment.canceled`. */
export function findEntryByCode(code: number): CatalogueEntry | undefined {
  return BY_CODE.get(code)
}

/** Finds the row that a test or an operator wrote as its name or its number. */
export const findEntry = (written: string): CatalogueEntry | undefined =>
  findEntryByName(written) ?? findEntryByCode(Number(written))

export const getKey = (row: CatalogueEntry): ErrorKey =>
  findEntryByName(row.name) === row ? row.name : (String(row.code) as ErrorKey)

const BY_KEY: ReadonlyMap<string, CatalogueEntry> = new Map(ROWS.map((row) => [getKey(row), row]))

/**
 * Returns the row of a key. @throws TypeError for an unknown key, which the type checker already
 * rejects.
 */
export function getEntryByKey(key: ErrorKey): CatalogueEntry {
  const entry = BY_KEY.get(key)
  if (entry === undefined) throw new TypeError(`The error catalogue has no ${key}`)
  return entry
}

/**
 * Builds the JSON body of an error response: name, code and description in this order
 * (specification: Errors).
 * @param description replaces the catalogue's
 */
export function errorBody(entry: CatalogueEntry, locale: Locale, description?: string): ApiError {
  return {
    name: entry.name,
    code: entry.code,
    description: description ?? getDescription(entry, locale),
  }
}

/** Creates errors.request.bad_format (253). */
export const badFormat = (explain: string): GatewayError =>
  new GatewayError('errors.request.bad_format', { explain })

/** Optional parts of an error response. */
export interface GatewayErrorOptions {
  /**
   * English sentences for the integrator: the problem, then its solution. Sent as the header
   * `Mondido-Explain`. Never contains card data or secrets.
   */
  readonly explain?: string | undefined
  /**
   * Replaces the catalogue's description in both languages (specification: service_instructions).
   */
  readonly description?: string | undefined
  /** The underlying error, only for the log. */
  readonly cause?: unknown
  /** Replaces the catalogue's status if the client did not cause the error. */
  readonly http?: 429 | 500 | 503
}

/**
 * The only error class that stops a request. Its message is the name of a catalogue row, which has
 * code, HTTP status and both descriptions.
 */
export class GatewayError extends Error {
  readonly entry: CatalogueEntry
  readonly http: CatalogueRow['http'] | 429 | 500 | 503
  readonly explain: string | undefined
  readonly description: string | undefined

  /** @throws TypeError like `getEntryByKey` */
  constructor(key: ErrorKey, options: GatewayErrorOptions = {}) {
    const entry = getEntryByKey(key)
    super(entry.name, options)
    this.name = 'GatewayError'
    this.entry = entry
    this.http = options.http ?? entry.http
    this.explain = options.explain
    this.description = options.description
  }
}
