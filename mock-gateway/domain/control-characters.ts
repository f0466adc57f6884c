// Control characters, line separators, and the marks that turn the direction of text and so disguise it.
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** True when a text holds characters that cannot be seen but change how it is shown, stored or split into lines. */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text)
