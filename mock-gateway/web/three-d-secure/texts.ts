import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { type BankTexts, sv } from './texts/sv.ts'

export const TEXTS: Readonly<Record<Locale, BankTexts>> = { sv, en }
