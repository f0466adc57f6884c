import { getDescription } from '../../domain/errors/catalogue.ts'
import type { GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { type HostedTexts, sv } from './texts/sv.ts'

export const TEXTS: Readonly<Record<Locale, HostedTexts>> = { sv, en }

/**
 * Returns the text of an error for the payer: the page's own text if the payer can fix it, else the
 * catalogue's.
 */
export function formatRefusal(
  { entry, description }: Pick<GatewayError, 'entry' | 'description'>,
  locale: Locale,
) {
  const own: Readonly<Record<string, string>> = TEXTS[locale].errors
  return description ?? own[entry.name] ?? getDescription(entry, locale)
}
