import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** Colours a text if the standard output is a terminal and NO_COLOR is not set. */
export const paint = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout })
