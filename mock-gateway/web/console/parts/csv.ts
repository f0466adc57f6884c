import { withMarkedControls } from '../../../domain/characters.ts'

/**
 * Formats lines of a file for spreadsheets (RFC 4180). A value that a spreadsheet would read as a
 * formula gets an apostrophe in front (attack 86), because payers choose names and references.
 * Control characters of a terminal are replaced (attack 133).
 */
export const csv = (lines: readonly (readonly string[])[]): string =>
  withMarkedControls(lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join(''))

const cell = (text: string): string => quoted(FORMULA.test(text) ? `'${text}` : text)

const FORMULA = /^[=+\-@\t\r]/

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Maximum characters of a client's or shop's text on a page. */
const SHOWN = 64 * 1024

/** Shortens a text. @param most maximum number of characters */
export const shorten = (text: string, most = SHOWN): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n… and ${text.length - most} more characters`
