import type { Queries } from './schema.ts'

/** Somebody who is logged in to the console. */
export interface ConsoleSessionTable {
  /** Digest of the token that the browser has. */
  token_hash: string
  /** Null for the administrator. */
  merchant_id: number | null
  /** Digest of the password's hash, or of the key, that it began with. */
  proof: string
  /** Epoch milliseconds of the machine. */
  expires_at: number
}

/** Adds a session, and forgets those that are over. */
export async function insertConsoleSession(queries: Queries, row: ConsoleSessionTable, now: number): Promise<void> {
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
