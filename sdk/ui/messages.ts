import { en } from './messages/en.ts'
import { sv } from './messages/sv.ts'

/** Texts for the payer by language: a language is a row here and a file of texts. */
export const MESSAGES = { sv, en }

export type Locale = keyof typeof MESSAGES

/** Names of the built-in texts. */
export type MessageKey = keyof typeof en

export const isLocale = (value: unknown): value is Locale =>
  Object.keys(MESSAGES).includes(value as string)
