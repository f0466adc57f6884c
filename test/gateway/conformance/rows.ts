import type { World } from './world.ts'

/** One statement of the specification, and how the running gateway shows that it holds. */
export interface HeldRow {
  readonly says: string
  readonly holds: (world: World) => unknown
}

/** Parts that the gateway does not have yet. README names them, so that nobody looks for them in vain. */
export const PARTS = ['3-D Secure'] as const

type Part = (typeof PARTS)[number]

/** A statement about a part that is still to come. */
export interface LaterRow {
  readonly says: string
  readonly later: Part
}

/** A statement about something that nothing in the specification brings about. */
export interface UnseenRow {
  readonly says: string
  /** Why. */
  readonly unseen: string
}

export type Row = HeldRow | LaterRow | UnseenRow

/** Rows under a heading of the specification, in its order. */
export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

export const isHeld = (row: Row): row is HeldRow => 'holds' in row
export const isLater = (row: Row): row is LaterRow => 'later' in row
export const isUnseen = (row: Row): row is UnseenRow => 'unseen' in row

/** A statement that holds. */
export const row = (says: string, holds: HeldRow['holds']): Row => ({ says, holds })

/** Statements about one part that is still to come. */
export const later = (part: Part, statements: readonly string[]): Row[] =>
  statements.map((says) => ({ says, later: part }))

/** A statement that cannot be looked at. */
export const unseen = (why: string, says: string): Row => ({ says, unseen: why })
