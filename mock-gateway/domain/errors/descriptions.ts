import { getWords, type Locale, type Words } from '../language/languages.ts'

/** Descriptions in languages other than English and Swedish, by error name. */
const DESCRIPTIONS: { readonly [Name in Locale]?: Readonly<Partial<Record<string, string>>> } = {}

/** Returns the catalogue's description in a language, or in English if it has none. */
export const getDescription = (entry: Words & { readonly name: string }, locale: Locale): string =>
  DESCRIPTIONS[locale]?.[entry.name] ?? getWords(entry, locale)
