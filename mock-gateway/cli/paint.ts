import { styleText } from 'node:util'

/** Colours a text if the standard output is a terminal and NO_COLOR is not set. */
export const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout })
