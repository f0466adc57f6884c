import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { type BankTexts, sv } from './texts/sv.ts'

/** Texts of the 3-D Secure pages by language. */
export const TEXTS: Readonly<Record<Locale, BankTexts>> = { sv, en }
