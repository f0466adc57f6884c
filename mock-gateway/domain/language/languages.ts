/**
 * A language, and how it writes dates and amounts. The tables are those of `Intl`, whose first use
 * takes as long as the rest of a page: Node loads the data of all languages for it.
 */
export interface Language {
  readonly name: string
  /** Language tag for `Intl` in browsers. */
  readonly numbers: string
  /** Short names of the months. */
  readonly months: readonly string[]
  /** Text between a date and its time. */
  readonly beforeTime: string
  readonly money: MoneyStyle
}

/** How a language writes amounts. */
interface MoneyStyle {
  /** Text between groups of three digits. */
  readonly thousands: string
  /** Text before the decimals. */
  readonly decimals: string
  readonly minus: string
  /** Writes a symbol before the number. A code is after it. */
  readonly symbolFirst: boolean
  /** Symbols by currency; the code is written for other currencies. */
  readonly symbols: Readonly<Record<string, string>>
}

/**
 * Languages for payers and integrators (specification: What the service does). A language is a row
 * here and a file of texts in each module with texts: errors (`domain/errors/descriptions`),
 * payment pages, bank, mails.
 */
export const LANGUAGES = {
  sv: {
    name: 'Svenska',
    numbers: 'sv-SE',
    months: 'jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.'.split(' '),
    beforeTime: ' ',
    money: {
      thousands: '\u00a0',
      decimals: ',',
      minus: '\u2212',
      symbolFirst: false,
      symbols: {
        ...{ sek: 'kr', dkk: 'Dkr', isk: 'Ikr', nok: 'Nkr', eur: '€', ils: '₪' },
        ...{ brl: 'BR$', cad: 'CA$', mxn: 'MX$', usd: 'US$' },
      },
    },
  },
  // British English: it formats US dollars as `US$`, not `$`.
  en: {
    name: 'English',
    numbers: 'en-GB',
    months: 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' '),
    beforeTime: ', ',
    money: {
      thousands: ',',
      decimals: '.',
      minus: '-',
      symbolFirst: true,
      symbols: {
        ...{ eur: '€', gbp: '£', ils: '₪', inr: '₹', krw: '₩', cny: 'CN¥', jpy: 'JP¥' },
        ...{ brl: 'R$', cad: 'CA$', hkd: 'HK$', mxn: 'MX$', nzd: 'NZ$', twd: 'NT$', usd: 'US$' },
      },
    },
  },
} as const satisfies Record<string, Language>

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

export const getWords = (words: Words, locale: Locale): string => words[locale] ?? words.en

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
export const choosePageLanguage = (
  wishes: LanguageWishes,
  otherwise: Locale = DEFAULT_LOCALE,
): Locale =>
  asLocale(wishes.locale) ??
  asLocale(wishes.lang) ??
  asLocale(wishes.merchant) ??
  findPreferredLocale(wishes.acceptLanguage) ??
  otherwise

/**
 * Returns the supported language with the highest weight in a header such as `fi, en-GB;q=0.8` (RFC
 * 9110, 12.5.4).
 */
function findPreferredLocale(header = ''): Locale | undefined {
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

/**
 * Formats a date in UTC: `14 Mar 2026`.
 * @param at epoch milliseconds
 */
export function formatDate(at: number, locale: Locale): string {
  const date = new Date(at)
  const month = LANGUAGES[locale].months[date.getUTCMonth()]
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`
}

/** Formats a date with its time in UTC: `14 Mar 2026, 09:05 UTC`. */
export const formatTime = (at: number, locale: Locale): string =>
  `${formatDate(at, locale)}${LANGUAGES[locale].beforeTime}${new Date(at).toISOString().slice(-13, -8)} UTC`
