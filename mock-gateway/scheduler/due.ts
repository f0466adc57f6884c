import type { DueItem, DueKind, DueScope } from '../storage/due.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { OpenWork } from '../work/work.ts'

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

/** Does due work of one kind, with the time at which it was due as `now`. */
export type DoDueWork = (work: OpenWork, id: number) => Promise<DueResult | undefined>

/** Line of the report of a moved clock. */
export interface ClockReportLine extends DueItem, DueResult {}

/** Work that becomes due, of every kind. */
export interface DueWork {
  /**
   * Finds the first due item of each kind, ordered by moment and kind.
   * @param search `kinds` to find, and failed items that are left out
   */
  find(
    queries: Queries,
    search: DueScope & {
      readonly without: readonly Pick<DueItem, 'kind' | 'id'>[]
      readonly kinds: readonly DueKind[]
    },
  ): Promise<readonly DueItem[]>
  /** Claims the webhooks that can be sent in parallel now, so that no other process sends them. */
  claimWebhooks(getTime: ClockTime): Promise<readonly DueItem[]>
  /**
   * Does the work, with the time at which it was due, whatever the clock shows. Afterwards the item
   * is not due, or due later. Another process may run the same item: the first one to change its
   * row does the work.
   * @returns undefined if another process did the work, or if nothing was left to do
   * @throws unexpected errors: they are logged, and the work is tried again later
   */
  run(due: DueItem): Promise<DueResult | undefined>
}
