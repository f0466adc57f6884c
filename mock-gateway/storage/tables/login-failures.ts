import type { Selectable } from 'kysely'

/**
 * Failed logins in a row of one user name from one address, whether a merchant has that name or
 * not.
 */
export interface LoginFailureTable {
  /** See `loginFrom`. */
  username: string
  failures: number
  /** End of the lock; null while fewer than the limit have failed. */
  locked_until: number | null
  updated_at: number
}

export type LoginFailureRow = Selectable<LoginFailureTable>
