import type { Filter } from './filters.ts'

/** Which rows of a list are answered, and in which order. */
export interface Listing {
  /** Rows of the page, 1 to 1000. */
  readonly limit: number
  /** Rows skipped. */
  readonly offset: number
  /**
   * Only rows with ids from it on: upwards, or downwards when ordered descending by whatever field.
   * Ordered by another field than id they need not begin with it (decision 37).
   */
  readonly startId: number | undefined
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' }
  /** All of them hold for each row. */
  readonly filters: readonly Filter[]
}

/**
 * The Content-Range header of a page, first and last counted from 1: `items 16-20/173`; an empty
 * page is `items 0-0/173` (specification: Listing; decision 10 where to start counting).
 * @param count rows on this page
 * @param total rows of the whole list
 */
export const contentRange = (offset: number, count: number, total: number): string =>
  count === 0 ? `items 0-0/${total}` : `items ${offset + 1}-${offset + count}/${total}`
