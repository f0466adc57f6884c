// Control characters, line separators, and the marks that turn the direction of text and so
// disguise it.
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * True when a text holds characters that cannot be seen but change how it is shown, stored or split
 * into lines.
 */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text)

/**
 * A text in which every control character that begins no line and no column is a mark, for a screen
 * that obeys them.
 */
export const withMarkedControls = (text: string): string =>
  text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, '\ufffd')

/**
 * True when a text has more characters than it may. A character is a Unicode code point, as in JSON
 * Schema's `maxLength`: an emoji is one, although JavaScript's `length` counts two.
 */
export const isLongerThan = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || [...text].length > characters)
