import {
  asLocale,
  DEFAULT_LOCALE,
  LANGUAGES,
  type Locale,
} from '../../domain/language/languages.ts'

/** The languages that a page can be had in besides its own: what a link to them says. */
export const otherLanguages = (locale: Locale) =>
  Object.entries(LANGUAGES).flatMap(([code, { name }]) => (code === locale ? [] : [{ code, name }]))

/**
 * What the language of a page is chosen by, strongest first. Each may be anything, as it was sent.
 */
export interface LanguageWishes {
  /** The parameter `locale`. */
  readonly locale?: unknown
  /** The parameter `lang`. */
  readonly lang?: unknown
  /** The merchant's choice, for who made none. */
  readonly merchant?: unknown
  /** The browser's header of this name. */
  readonly acceptLanguage?: string | undefined
}

/** The first wish that can be granted; the default when there is none (our decision). */
export const pageLanguage = (wishes: LanguageWishes, otherwise = DEFAULT_LOCALE): Locale =>
  asLocale(wishes.locale) ??
  asLocale(wishes.lang) ??
  asLocale(wishes.merchant) ??
  preferred(wishes.acceptLanguage) ??
  otherwise

/**
 * Of a header such as `fi, en-GB;q=0.8`, the language with the highest weight that the pages are in
 * (RFC 9110, 12.5.4).
 */
function preferred(header = ''): Locale | undefined {
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
