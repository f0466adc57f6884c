import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { run } from './tables.ts'

/** Index of rejected requests, which the console groups by error, call and merchant. */
export const rejectedRequests: Migration = {
  up: (db: Kysely<unknown>) =>
    run(db, [
      `create index requests_by_error on requests (merchant_id, error, method, route, created_at)
        where error is not null`,
    ]),
  down: (db: Kysely<unknown>) => run(db, ['drop index requests_by_error']),
}
