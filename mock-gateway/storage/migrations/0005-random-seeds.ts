import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { run } from './tables.ts'

/** Random seeds. The row of merchant 0 is the seed of all merchants. */
export const randomSeeds: Migration = {
  up: (db: Kysely<unknown>) =>
    run(db, [
      `create table seeds (
        merchant_id bigint primary key not null,
        seed text not null,
        streams integer not null,
        free_stream integer,
        drawn bigint)`,
    ]),
  down: (db: Kysely<unknown>) => run(db, ['drop table seeds']),
}
