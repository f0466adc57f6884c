import type { Locale } from '../../../../domain/language/languages.ts'
import { asked } from './settings.ts'
import { SERVICE_EN } from './words-en.ts'
import { SERVICE_SV, type ServiceWords } from './words-sv.ts'

const LANGUAGES_OF_PAGES: Readonly<Record<Locale, ServiceWords>> = {
  sv: SERVICE_SV,
  en: SERVICE_EN,
}

/**
 * Chooses the texts: the language in the address, else the first supported one of the browser, else
 * English (observed: 11.8).
 */
function serviceWords(): ServiceWords {
  const wished = [asked('lang') ?? '', ...navigator.languages].map((each) =>
    each.slice(0, 2).toLowerCase(),
  )
  const [, words] =
    wished.flatMap((each) =>
      Object.entries(LANGUAGES_OF_PAGES).filter(([code]) => code === each),
    )[0] ?? []
  return words ?? SERVICE_EN
}

/**
 * Returns a text with the page's values; undefined for an unknown name: then the page's own text
 * stays.
 */
export function serviceText(name: string, given: readonly string[] = []): string | undefined {
  const [, text] = Object.entries(serviceWords()).find(([key]) => key === name) ?? []
  return text?.replace(/\{(\d)\}/g, (_, index) => given[Number(index)] ?? '')
}
