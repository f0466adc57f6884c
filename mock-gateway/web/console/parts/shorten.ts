/** Maximum characters of a client's or shop's text on a page. */
const SHOWN = 64 * 1024

/** Shortens a text. @param most maximum number of characters */
export const shorten = (text: string, most = SHOWN): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n… and ${text.length - most} more characters`
