import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { accounts } from './first-tables/accounts.ts'
import { authentications } from './first-tables/authentications.ts'
import { control } from './first-tables/control.ts'
import { deliveries } from './first-tables/deliveries.ts'
import { payments } from './first-tables/payments.ts'
import { requests } from './first-tables/requests.ts'
import { subscriptions } from './first-tables/subscriptions.ts'
import { ID, run } from './tables.ts'

/** Every table of the first release. */
export const firstTables = (dialect: Dialect): Migration => {
  const subjects = SUBJECTS.map((tables) => tables(ID[dialect]))
  const tables = subjects.flatMap(({ columns }) => Object.entries(columns))
  return {
    async up(db: Kysely<unknown>) {
      await run(db, [
        ...tables.map(([name, columns]) => `create table ${name} (${columns})`),
        ...subjects.flatMap(({ indexes }) => indexes.map((index) => `create ${index}`)),
      ])
    },

    async down(db: Kysely<unknown>) {
      await run(
        db,
        tables.toReversed().map(([name]) => `drop table ${name}`),
      )
    },
  }
}

/** In the order of creation: each refers to earlier ones only. */
const SUBJECTS = [accounts, payments, subscriptions, deliveries, authentications, control, requests]
