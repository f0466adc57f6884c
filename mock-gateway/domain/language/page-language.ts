import { asLocale, DEFAULT_LOCALE, type Locale } from './languages.ts'

/** Sources of a page's language, strongest first; each as sent. */
export interface LanguageWishes {
  /** The parameter `locale`. */
  readonly locale?: unknown
  /** The parameter `lang`. */
  readonly lang?: unknown
  /** The merchant's choice. */
  readonly merchant?: unknown
  /** The header Accept-Language. */
  readonly acceptLanguage?: string | undefined
}

/** Returns the first supported language; otherwise the default (our decision). */
export const pageLanguage = (wishes: LanguageWishes, otherwise = DEFAULT_LOCALE): Locale =>
  asLocale(wishes.locale) ??
  asLocale(wishes.lang) ??
  asLocale(wishes.merchant) ??
  preferredLocale(wishes.acceptLanguage) ??
  otherwise

/**
 * Returns the supported language with the highest weight in a header such as `fi, en-GB;q=0.8` (RFC
 * 9110, 12.5.4).
 */
function preferredLocale(header = ''): Locale | undefined {
  const ranges = header.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1'
    return { language: tag.split('-')[0], weight: Number(weight) }
  })
  const wanted = ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return wanted.map(({ language }) => asLocale(language)).find((locale) => locale !== undefined)
}
