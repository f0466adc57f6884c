import type { Generated } from 'kysely'

/** 0 is false, 1 is true. */
export type Flag = 0 | 1

/** Set by the database when a row is inserted. */
export type Id = Generated<number>
