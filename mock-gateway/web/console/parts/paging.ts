import { badFormat } from '../../../domain/errors/errors.ts'
import { integer } from '../../../parsing/parameters/parameters.ts'
import type { ConsoleView, ConsoleVisit } from '../visit.ts'
import { ROWS } from './lists.ts'

/** Rows of one page of a list without a total. */
export interface PagedRows<Row> {
  readonly rows: readonly Row[]
  /** Addresses of the pages with newer and with older rows; null if there are none. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * Reads the rows of a page, and the addresses of its neighbours.
 * @param list its address, with or without a query
 * @param find reads rows, the newest first; called for one more row than are shown
 */
export async function paged<Row>(
  { parameters }: ConsoleVisit,
  list: string,
  find: (page: { readonly limit: number; readonly offset: number }) => Promise<readonly Row[]>,
): Promise<PagedRows<Row>> {
  const offset = integer(parameters, 'offset', 'errors.request.bad_format') ?? 0
  if (offset < 0 || offset > FARTHEST)
    throw badFormat(`offset must be a whole number from 0 to ${FARTHEST}.`)
  const found = await find({ limit: ROWS + 1, offset })
  const at = (from: number) => `${list}${list.includes('?') ? '&' : '?'}offset=${from}`
  return {
    rows: found.slice(0, ROWS),
    before: offset > 0 ? at(Math.max(0, offset - ROWS)) : null,
    after: found.length > ROWS ? at(offset + ROWS) : null,
  }
}

/**
 * Live updates only for the newest page of a list: further down rows would move away from the
 * reader.
 */
export const ofNewest = (
  { before }: Pick<PagedRows<unknown>, 'before'>,
  live: NonNullable<ConsoleView['live']>,
): ConsoleView['live'] => (before === null ? live : undefined)

const FARTHEST = 1_000_000_000
