import { descriptionIn } from '../../domain/errors/descriptions.ts'
import { entryByName, type GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { sv } from './texts/sv.ts'
import type { HostedTexts } from './texts/words.ts'

/** By language. */
export const TEXTS: Readonly<Record<Locale, HostedTexts>> = { sv, en }

/**
 * What a payer is told of a refusal: our own words for what a payer can put right, else the
 * catalogue's.
 */
export function refusalText(
  { entry, description }: Pick<GatewayError, 'entry' | 'description'>,
  locale: Locale,
) {
  const own: Readonly<Record<string, string>> = TEXTS[locale].errors
  return description ?? own[entry.name] ?? descriptionIn(entry, locale)
}

/**
 * The same of an error that is known by name only, as in a link; undefined when there is none of
 * this name.
 */
export function namedText(name: unknown, locale: Locale): string | undefined {
  const entry = typeof name === 'string' ? entryByName(name) : undefined
  return entry && refusalText({ entry, description: undefined }, locale)
}
