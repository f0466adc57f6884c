import type { DueScope } from '../storage/due.ts'
import type { Queries } from '../storage/tables/schema.ts'

export type { DueScope } from '../storage/due.ts'

/** Something that falls due. */
export interface Due {
  /** Epoch milliseconds on its merchant's clock. */
  readonly at: number
  readonly merchantId: number
  /** Of its kind no other has this id. */
  readonly id: number
}

/** What came of something that was due. */
export interface Outcome {
  /** A few words for people, such as `charged 10.00 sek`. Never card data, never a secret. */
  readonly what: string
  /** More for programs, under the names the API uses, such as `{ transaction_id: 12, status: 'approved' }`. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

/** A line of what a moved clock reports. */
export interface Happened extends Due, Outcome {
  /** The kind's name. */
  readonly kind: string
}

/**
 * A kind of thing that falls due, with what does it. At one moment the kinds are done in the order of their list, the
 * things of one kind in the order of their ids.
 */
export interface DueKind<Item extends Due = Due> {
  /** One word: `expiry`, `authentication`, `charge`, `webhook`. */
  readonly kind: string
  /** How many may be done at the same moment while time runs by itself. Default: 1. A moved clock does one at a time. */
  readonly atOnce?: number
  /** The first that are due, at most `limit`, ordered by at and id. `isDue` makes the condition. */
  first(queries: Queries, scope: DueScope, limit: number): Promise<readonly Item[]>
  /**
   * Does it; what happens bears the date at which it was due, wherever the clock stands. Afterwards it is due no more, or
   * later. Others may be doing it, in another process too: who changes its row first does it.
   * @param ending is aborted when the gateway closes
   * @returns undefined when somebody else did it, or nothing was left to do
   * @throws what nobody foresaw: it is logged, and tried again later
   */
  run(due: Item, ending: AbortSignal): Promise<Outcome | undefined>
}
