import type { World } from './world.ts'

/** A statement of the specification, with a test on the running gateway. */
export interface HeldRow {
  readonly says: string
  readonly holds: (world: World) => unknown
}

/** A statement about something that nothing in the specification brings about. */
export interface UnseenRow {
  readonly says: string
  /** Why. */
  readonly unseen: string
}

export type Row = HeldRow | UnseenRow

/** Rows under a heading of the specification, in its order. */
export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

export const isHeld = (row: Row): row is HeldRow => 'holds' in row
export const isUnseen = (row: Row): row is UnseenRow => 'unseen' in row

/** A statement that holds. */
export const row = (says: string, holds: HeldRow['holds']): Row => ({ says, holds })

/** A statement that cannot be tested. */
export const unseen = (why: string, says: string): Row => ({ says, unseen: why })
