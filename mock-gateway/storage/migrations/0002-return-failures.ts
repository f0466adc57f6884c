import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { ID, run } from './tables.ts'

/** Failed returns of payers, and the new name of a forced outcome's currency conversion. */
export const returnFailures = (dialect: Dialect): Migration => ({
  up: (db: Kysely<unknown>) =>
    run(db, [
      `create table return_failures (
        ${ID[dialect]},
        merchant_id bigint not null references merchants (id),
        transaction_id bigint not null references transactions (id),
        address text not null,
        reason text not null,
        created_at bigint not null)`,
      'create index return_failures_of_merchant on return_failures (merchant_id, id)',
      'create index return_failures_of_transaction on return_failures (transaction_id)',
      'alter table next_outcomes rename column chosen_currency to currency_converter',
    ]),
  down: (db: Kysely<unknown>) =>
    run(db, [
      'alter table next_outcomes rename column currency_converter to chosen_currency',
      'drop table return_failures',
    ]),
})
