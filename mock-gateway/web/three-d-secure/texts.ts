import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { sv } from './texts/sv.ts'
import type { BankTexts } from './texts/words.ts'

/** Words of the pages of 3-D Secure, by language. */
export const TEXTS: Readonly<Record<Locale, BankTexts>> = { sv, en }
