import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { run } from './tables.ts'

/** The trace of the request that caused a webhook, with the body that is sent. */
export const traceparent: Migration = {
  up: (db: Kysely<unknown>) => run(db, ['alter table webhook_bodies add column traceparent text']),
  down: (db: Kysely<unknown>) => run(db, ['alter table webhook_bodies drop column traceparent']),
}
