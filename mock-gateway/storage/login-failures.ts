import { sql } from 'kysely'
import { compare, deleteRows } from './rows.ts'
import type { LoginFailureRow } from './tables/logins.ts'
import type { Queries } from './tables/schema.ts'

/** Key of a failed login: a user name without blanks, and an address. */
export const describeLogin = (username: string, address: string): string => `${username} ${address}`

/**
 * Counts a failure, in the database, so that parallel attempts are all counted.
 * @returns the number of failures in a row
 */
export function countLoginFailure(
  queries: Queries,
  who: string,
  now: number,
): Promise<Pick<LoginFailureRow, 'failures' | 'locked_until'>> {
  return queries
    .insertInto('login_failures')
    .values({ username: who, failures: 1, locked_until: null, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('username')
        .doUpdateSet({ failures: sql<number>`login_failures.failures + 1`, updated_at: now }),
    )
    .returning(['failures', 'locked_until'])
    .executeTakeFirstOrThrow()
}

/** Deletes the failures and locks of a user name, for all addresses. */
export async function unlockLogins(queries: Queries, username: string): Promise<void> {
  await deleteRows(queries, 'login_failures', {
    username: compare('like', describeLogin(username, '%')),
  })
}

/**
 * Deletes names without an attempt since `before`, so that invented names and addresses cannot fill
 * the table.
 * @param username pattern of LIKE: the user names to delete
 */
export async function forgetLoginFailures(
  queries: Queries,
  username: string,
  before: number,
): Promise<void> {
  await queries
    .deleteFrom('login_failures')
    .where('username', 'like', describeLogin(username, '%'))
    .where('updated_at', '<', before)
    .where((where) =>
      where.or([where('locked_until', 'is', null), where('locked_until', '<', before)]),
    )
    .execute()
}
