import type { ConsoleSessionTable } from './tables/console-sessions.ts'
import type { Queries } from './tables/schema.ts'

/** Adds a session, and deletes expired ones. */
export async function insertConsoleSession(
  queries: Queries,
  row: ConsoleSessionTable,
  now: number,
): Promise<void> {
  await queries.deleteFrom('console_sessions').where('expires_at', '<=', now).execute()
  await queries.insertInto('console_sessions').values(row).execute()
}

/** @param now epoch milliseconds of the machine */
export const findConsoleSession = (
  queries: Queries,
  tokenHash: string,
  now: number,
): Promise<ConsoleSessionTable | undefined> =>
  queries
    .selectFrom('console_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function deleteConsoleSession(queries: Queries, tokenHash: string): Promise<void> {
  await queries.deleteFrom('console_sessions').where('token_hash', '=', tokenHash).execute()
}
