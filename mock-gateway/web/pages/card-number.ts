/** Writes a card number in groups of four digits. */
export const groupDigits = (number: string): string => number.replace(/\d{4}(?=\d)/g, '$& ')
