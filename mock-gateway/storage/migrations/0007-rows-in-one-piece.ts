import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { run } from './tables.ts'

/** Tables with a request, an answer or a webhook in each row, of 3 KB as a rule. */
const LONG_ROWS = ['requests', 'webhook_bodies', 'snapshot_requests', 'snapshot_webhook_bodies']

/**
 * PostgreSQL stores a row of up to 4 KB as it is. By default, it compresses a row of more than 2 KB
 * and writes the longest text to a second table. A snapshot copies and compares these rows.
 */
export const rowsInOnePiece = (dialect: Dialect): Migration => ({
  up: (db: Kysely<unknown>) => change(db, dialect, 'set (toast_tuple_target = 4080)'),
  down: (db: Kysely<unknown>) => change(db, dialect, 'reset (toast_tuple_target)'),
})

async function change(db: Kysely<unknown>, dialect: Dialect, clause: string): Promise<void> {
  if (dialect === 'sqlite') return
  await run(
    db,
    LONG_ROWS.map((table) => `alter table ${table} ${clause}`),
  )
}
