import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { sv } from './texts/sv.ts'
import type { BankTexts } from './texts/words.ts'

/** Texts of the 3-D Secure pages by language. */
export const TEXTS: Readonly<Record<Locale, BankTexts>> = { sv, en }
