/**
 * The languages of what payers and integrators read (specification: What the service does). A
 * language is a row here and a file of texts in each room that speaks: errors
 * (`domain/errors/descriptions`), payment pages, bank, mails.
 */
export const LANGUAGES = {
  sv: { name: 'Svenska', numbers: 'sv-SE' },
  // The European one: `US$` is not `$`.
  en: { name: 'English', numbers: 'en-GB' },
} as const satisfies Record<string, { readonly name: string; readonly numbers: string }>

export type Locale = keyof typeof LANGUAGES

/** What is spoken where nobody asks for another (observed: 13). */
export const DEFAULT_LOCALE: Locale = 'sv'

/** A language by its two letters, in any case; undefined for anything else. */
export function asLocale(sent: unknown): Locale | undefined {
  const wanted = typeof sent === 'string' ? sent.toLowerCase() : ''
  return isLocale(wanted) ? wanted : undefined
}

const isLocale = (text: string): text is Locale => Object.hasOwn(LANGUAGES, text)

/** A text by language where not every language has it: English then. */
export type Words = Readonly<Record<'sv' | 'en', string> & Partial<Record<Locale, string>>>

export const wordsIn = (words: Words, locale: Locale): string => words[locale] ?? words.en
