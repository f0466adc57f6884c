import { type Locale, type Words, wordsIn } from '../language/languages.ts'

/**
 * What the rows of the catalogue do not say themselves: languages besides English and Swedish, by
 * the error's name.
 */
const DESCRIPTIONS: { readonly [Name in Locale]?: Readonly<Partial<Record<string, string>>> } = {}

/** The catalogue's description in a language; in English where that has none. */
export const descriptionIn = (entry: Words & { readonly name: string }, locale: Locale): string =>
  DESCRIPTIONS[locale]?.[entry.name] ?? wordsIn(entry, locale)
