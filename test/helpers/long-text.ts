/** Length of the longest text: the maximum number of bytes in a request. */
const LONGEST = 256 * 1024

const texts = new Map<string, string>()

/**
 * Lets a reader read 256 KB of a repeated text. A reader whose time grows faster than the text does
 * not end within the limit of the test.
 */
export function readLongText(read: (text: string) => unknown, unit: string): void {
  const text = texts.get(unit) ?? unit.repeat(Math.ceil(LONGEST / unit.length)).slice(0, LONGEST)
  texts.set(unit, text)
  read(text)
}
