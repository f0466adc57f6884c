import type { World } from './world.ts'

/** One statement of the specification, and how the running gateway shows that it holds. */
export interface HeldRow {
  readonly says: string
  readonly holds: (world: World) => unknown
}

/** A statement about a part that the gateway does not have yet. */
export interface LaterRow {
  readonly says: string
  /** The part. */
  readonly later: string
}

export type Row = HeldRow | LaterRow

/** Rows under a heading of the specification, in its order. */
export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

export const isHeld = (row: Row): row is HeldRow => 'holds' in row

/** A statement that holds. */
export const row = (says: string, holds: HeldRow['holds']): Row => ({ says, holds })

/** Statements about one part that is still to come. */
export const later = (part: string, statements: readonly string[]): Row[] =>
  statements.map((says) => ({ says, later: part }))
