import type { Selectable } from 'kysely'
import { integer, moment, nullable, primary, type TableOf, text } from './columns.ts'

/**
 * Failed logins in a row of one user name from one address, whether a merchant has that name or
 * not.
 */
export const loginFailureColumns = {
  /** See `describeLogin`. */
  username: primary(text()),
  failures: integer(),
  /** End of the lock; null while fewer than the limit have failed. */
  locked_until: nullable(moment()),
  updated_at: moment(),
}

type LoginFailureTable = TableOf<typeof loginFailureColumns>

export type LoginFailureRow = Selectable<LoginFailureTable>
