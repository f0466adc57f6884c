/** Masks a text but for the first character of each word: `Storgatan 1` becomes `S******** 1`. */
export const maskWords = (text: string): string => text.replace(/(?<=[^\s-])[^\s-]/gu, '*')
