import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { run } from './tables.ts'

const COLUMNS = {
  previous_secret: 'text',
  previous_secret_until: 'bigint',
  previous_password_hash: 'text',
  previous_password_until: 'bigint',
}

/** The secret and the password that a rotation replaced, and until when each stays valid. */
export const previousSecrets: Migration = {
  up: (db: Kysely<unknown>) =>
    run(
      db,
      Object.entries(COLUMNS).map(
        ([name, type]) => `alter table merchants add column ${name} ${type}`,
      ),
    ),
  down: (db: Kysely<unknown>) =>
    run(
      db,
      Object.keys(COLUMNS).map((name) => `alter table merchants drop column ${name}`),
    ),
}
