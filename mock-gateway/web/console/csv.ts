import { withMarkedControls } from '../../domain/characters.ts'

/**
 * Lines of a file for spreadsheets (RFC 4180). What one would take for a formula begins with an
 * apostrophe instead (attack 86): payers choose names and references. Commands of a terminal are
 * marks (attack 133).
 */
export const csv = (lines: readonly (readonly string[])[]): string =>
  withMarkedControls(lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join(''))

const cell = (text: string): string => quoted(FORMULA.test(text) ? `'${text}` : text)

const FORMULA = /^[=+\-@\t\r]/

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
