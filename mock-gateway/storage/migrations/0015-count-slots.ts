import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { COUNTED } from './0001-first-tables.ts'
import { gatherCounts, spreadCounts } from './counted.ts'

/** Payments of one merchant that come by several connections of PostgreSQL are counted without waiting for each other. */
export const countSlots = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    if (dialect === 'postgres') for (const counted of COUNTED) await spreadCounts(db, counted)
  },

  async down(db: Kysely<unknown>) {
    if (dialect === 'postgres') for (const counted of COUNTED) await gatherCounts(db, counted)
  },
})
