/** Number ranges of a card brand. */
export interface CardBrand {
  /** Name of the card type, in lower case. */
  readonly name: string
  /** Ranges of the first digits, such as `300-305 36`. */
  readonly starts: string
  /** Allowed numbers of digits, such as `16-19`. */
  readonly lengths: string
  /** The service does not accept this brand, so its name is never sent. */
  readonly isUnsupported: true | undefined
}

/**
 * Card brands by number, for the library, the payment page and the gateway; narrow ranges come
 * before the wide ones around them. Observed (12.4): Amex, Diners 300-305 and 36, JCB, Laser,
 * Discover with their lengths. As the card schemes publish them: Mastercard 2221-2720, Visa of 19
 * digits, Diners 38-39, Discover 644-649, Electron, Solo, UK Maestro, Dankort, Forbrugsforeningen,
 * and Maestro. Maestro is not simply the rest of 50 and 56-69: UnionPay, RuPay and others use
 * numbers there too.
 */
const CARD_BRANDS: readonly CardBrand[] = (
  [
    ['dankort', '5019', '16', true],
    ['forbrugsforeningen', '600722', '16', true],
    ['amex', '34 37', '15'],
    ['diners', '300-305 36 38-39', '14'],
    ['jcb', '3528-3589', '16'],
    ['electron', '4026 417500 4405 4508 4844 4913 4917', '16'],
    ['uk_maestro', '4903 4905 4911 4936 564182 633110 6333', '16 18 19'],
    ['visa', '4', '13 16 19'],
    ['mastercard', '51-55 2221-2720', '16'],
    ['laser', '6304 6706 6709 6771', '16-19'],
    ['solo', '6334 6767', '16 18 19'],
    ['discover', '6011 622126-622925 644-649 65', '16'],
    ['maestro', '5018 5020 5038 56-58 67', '12-19'],
  ] as const
).map(([name, starts, lengths, isUnsupported]) => ({
  name,
  starts,
  lengths,
  isUnsupported,
}))

/** Returns true if the first digits are in one of the ranges, ends included. */
const isWithin = (ranges: string, digits: string): boolean =>
  ranges.split(' ').some((range) => {
    const [from = '', to = from] = range.split('-')
    const start = digits.slice(0, from.length)
    return start.length === from.length && start >= from && start <= to
  })

/**
 * Finds the brand of a complete card number; undefined if no brand has these first digits and this
 * length.
 */
export const findBrandOfNumber = (digits: string): CardBrand | undefined =>
  CARD_BRANDS.find(
    ({ starts, lengths }) => isWithin(starts, digits) && isWithin(lengths, `${digits.length}`),
  )

/** Finds the brand of a number while it is typed; undefined while it is uncertain. */
export const findBrandOfStart = (digits: string): CardBrand | undefined =>
  CARD_BRANDS.find(({ starts }) => isWithin(starts, digits))
