/**
 * A text of which only the first character of each word is to be seen: `Storgatan 1` becomes
 * `S******** 1`.
 */
export const maskWords = (text: string): string => text.replace(/(?<=[^\s-])[^\s-]/gu, '*')
