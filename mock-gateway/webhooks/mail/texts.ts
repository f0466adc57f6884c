import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { sv } from './texts/sv.ts'
import type { MailTexts } from './texts/words.ts'

/** Texts of mails by language; the merchant's name follows a subject. */
export const TEXTS: Readonly<Record<Locale, MailTexts>> = { sv, en }
