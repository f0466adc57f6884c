/**
 * Languages for payers and integrators (specification: What the service does). A language is a row
 * here and a file of texts in each module with texts: errors (`domain/errors/descriptions`),
 * payment pages, bank, mails.
 */
export const LANGUAGES = {
  sv: { name: 'Svenska', numbers: 'sv-SE' },
  // British English: it formats US dollars as `US$`, not `$`.
  en: { name: 'English', numbers: 'en-GB' },
} as const satisfies Record<string, { readonly name: string; readonly numbers: string }>

export type Locale = keyof typeof LANGUAGES

/** Language of a request that does not choose one (observed: 13). */
export const DEFAULT_LOCALE: Locale = 'sv'

/** Reads a language code of two letters in any case; otherwise undefined. */
export function asLocale(sent: unknown): Locale | undefined {
  const wanted = typeof sent === 'string' ? sent.toLowerCase() : ''
  return isLocale(wanted) ? wanted : undefined
}

const isLocale = (text: string): text is Locale => Object.hasOwn(LANGUAGES, text)

/** Texts by language; English is the fallback for languages that are missing. */
export type Words = Readonly<Record<'sv' | 'en', string> & Partial<Record<Locale, string>>>

export const wordsIn = (words: Words, locale: Locale): string => words[locale] ?? words.en
