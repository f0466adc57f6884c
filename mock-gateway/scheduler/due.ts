import type { DueScope } from '../storage/due.ts'
import type { Queries } from '../storage/tables/schema.ts'

export type { DueScope } from '../storage/due.ts'

/** Piece of work that is due at a time. */
export interface DueItem {
  /** Epoch milliseconds on its merchant's clock. */
  readonly at: number
  readonly merchantId: number
  /** Unique among the items of its kind. */
  readonly id: number
}

/** Returns the time of a merchant's clock in epoch milliseconds; undefined while it is moved. */
export type ClockTime = (merchantId: number) => number | undefined

/** Result of due work. */
export interface DueResult {
  /** Text for people, such as `charged 10.00 sek`. Never card data, never a secret. */
  readonly what: string
  /**
   * Facts for programs, under the names of the API, such as `{ transaction_id: 12, status:
   * 'approved' }`.
   */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

/** Line of the report of a moved clock. */
export interface ClockReportLine extends DueItem, DueResult {
  /** Name of the kind of work. */
  readonly kind: string
}

/**
 * Kind of due work, and the function that does it. Work that is due at the same moment runs in the
 * order of the list of kinds, and within one kind in the order of ids.
 */
export interface DueKind<Item extends DueItem = DueItem> {
  /** Name of the kind: `expiry`, `authentication`, `charge`, `webhook`. */
  readonly kind: string
  /** Finds the first due items, at most `limit`, ordered by `at` and `id`. */
  first(queries: Queries, scope: DueScope, limit: number): Promise<readonly Item[]>
  /**
   * Claims the due items that can run in parallel now, so that no other process runs them. Default:
   * the first item, when no other item of this kind is running.
   */
  claimDue?(getTime: ClockTime): Promise<readonly Item[]>
  /** Claims an item and further ones that a moved clock runs together. Default: an item runs alone. */
  claimWith?(due: Item): Promise<readonly Item[]>
  /**
   * Does the work, with the time at which it was due, whatever the clock shows. Afterwards the item
   * is not due, or due later. Another process may run the same item: the first one to change its
   * row does the work.
   * @param ending is aborted when the gateway closes
   * @returns undefined if another process did the work, or if nothing was left to do
   * @throws unexpected errors: they are logged, and the work is tried again later
   */
  run(due: Item, ending: AbortSignal): Promise<DueResult | undefined>
}
