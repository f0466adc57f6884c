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
  /**
   * Highest number of items that run at the same time. Default: 1. A moved clock runs one at a
   * time, except the items of `firstTogether`.
   */
  readonly atOnce?: number
  /**
   * Finds the first due items, at most `limit`, ordered by `at` and `id`; `isDue` builds the
   * condition.
   */
  first(queries: Queries, scope: DueScope, limit: number): Promise<readonly Item[]>
  /**
   * Finds the first due item and further ones that a moved clock starts together with it. Default:
   * an item runs alone.
   */
  firstTogether?(queries: Queries, scope: DueScope): Promise<readonly Item[]>
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
