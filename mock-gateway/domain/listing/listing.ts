import type { Filter } from './filters.ts'

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
