import type { JsonValue } from '../../domain/json.ts'

/** What stands in one place of a table. */
export interface Cell {
  readonly text: string
  /** Address of the page that it leads to. */
  readonly to: string | null
  /** How something stands, which gives a status its colour. */
  readonly tone: Tone | null
  /** Figures that stay on one line, like an amount or a moment. */
  readonly number: boolean
  /** JSON and other texts whose spaces count. */
  readonly code: boolean
  /** A text that may have no space to be broken at. */
  readonly long: boolean
  /** As the wire has it, where it is a moment: a browser may tell it as people do. */
  readonly moment: string | null
  /** Something to take along, such as an id: a browser offers to copy it. */
  readonly copy: boolean
  /** What stands below it in small letters. */
  readonly note: string | null
}

export type Tone = 'good' | 'waiting' | 'bad' | 'off'

const CELL: Cell = {
  text: '',
  to: null,
  tone: null,
  number: false,
  code: false,
  long: false,
  moment: null,
  copy: false,
  note: null,
}

export const plain = (text: string | number | null | undefined): Cell => ({
  ...CELL,
  text: String(text ?? ''),
})

/** With an address of somebody else, which leads nowhere. */
export const longText = (text: string): Cell => ({ ...CELL, text, long: true })

/** An id, a reference, a hash: something to take along. */
export const copied = (cell: Cell): Cell => ({ ...cell, copy: cell.text !== '' })

export const link = (text: string | number, to: string): Cell => ({
  ...CELL,
  text: String(text),
  to,
})

/** @param amount text with two decimals */
export const money = (amount: string, currency: string): Cell => ({
  ...CELL,
  text: `${amount} ${currency.toUpperCase()}`,
  number: true,
})

export const status = (text: string): Cell => ({ ...CELL, text, tone: TONES[text] ?? 'off' })

/** @param moment as the wire has it, such as `2026-04-01T12:00:00Z` */
export const time = (moment: string): Cell => ({
  ...CELL,
  text: moment.replace('T', ' ').replace('Z', ''),
  number: true,
  moment,
})

export const json = (value: JsonValue | object): Cell => ({
  ...CELL,
  text: JSON.stringify(value, null, 2),
  code: true,
})

/**
 * Statuses of everything that has one (specification: States; deliveries and mails are our
 * decision).
 */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  approved: 'good',
  passed: 'good',
  authorized: 'good',
  delivered: 'good',
  sent: 'good',
  pending: 'waiting',
  running: 'waiting',
  '3ds pending': 'waiting',
  'capture pending': 'waiting',
  kept: 'waiting',
  retry: 'waiting',
  declined: 'bad',
  failed: 'bad',
  dead: 'bad',
  refused: 'bad',
  cancelled: 'off',
}
