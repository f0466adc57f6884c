/** Characters of a text that somebody else has written, on a page. */
const SHOWN = 64 * 1024

/** @param most characters of it */
export const bounded = (text: string, most = SHOWN): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n… and ${text.length - most} more characters`
