import type { World } from './world.ts'

/** Statement of the specification, with a test on the running gateway. */
export interface HeldRow {
  readonly says: string
  readonly holds: (world: World) => unknown
}

/** Statement about something that no call in the specification can cause. */
export interface UnseenRow {
  readonly says: string
  /** Reason why the statement cannot be tested. */
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

/** Creates the row of a statement with its test. */
export const row = (says: string, holds: HeldRow['holds']): Row => ({ says, holds })

/** Creates the row of a statement that cannot be tested. */
export const unseen = (why: string, says: string): Row => ({ says, unseen: why })
