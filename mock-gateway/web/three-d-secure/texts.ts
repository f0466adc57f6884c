import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { sv } from './texts/sv.ts'
import type { Texts } from './texts/words.ts'

/** Words of the pages of 3-D Secure, by language. */
export const TEXTS: Readonly<Record<Locale, Texts>> = { sv, en }
