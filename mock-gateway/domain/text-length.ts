/**
 * True when a text has more characters than it may. A character is a Unicode code point, as in JSON Schema's
 * `maxLength`: an emoji is one, although JavaScript's `length` counts two.
 */
export const isLongerThan = (text: string, characters: number): boolean =>
  text.length > characters && (text.length > 2 * characters || [...text].length > characters)
