// Control characters, line separators, and marks that change the direction of text and so disguise
// it.
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * Returns true if a text contains invisible characters that change how it is displayed, stored or
 * split into lines.
 */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text)

/**
 * Replaces control characters, except line breaks and tabs, and characters that change the direction
 * of text by U+FFFD. A terminal would interpret them, and a page would show the text reversed.
 */
export const withMarkedControls = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\r\n]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/**
 * Replaces every invisible character other than a line break by `?`, for lines on a terminal: a text
 * that a stranger sent must not move the cursor.
 */
export const makePrintable = (text: string): string => text.replaceAll(/[^\P{C}\n]/gu, '?')

/**
 * Returns true if a text is longer than allowed. A character is a Unicode code point, as in JSON
 * Schema's `maxLength`: an emoji is one, although JavaScript's `length` counts two.
 */
export const isLongerThan = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || [...text].length > characters)

/** Masks a text but for the first character of each word: `Storgatan 1` becomes `S******** 1`. */
export const maskWords = (text: string): string => text.replace(/(?<=[^\s-])[^\s-]/gu, '*')
