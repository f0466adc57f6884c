/** How the numbers of one card brand look. */
export interface CardBrand {
  /** The service's word for the card type where it has one, lower case. */
  readonly name: string
  /** First digits, single or from and to: `300-305 36`. */
  readonly starts: string
  /** Numbers of digits, single or from and to: `13 16 19`. */
  readonly lengths: string
  /** A brand the service has no card type for; its name is never sent and its cards are not taken. */
  readonly isForeign?: true
}

/**
 * Card brands by number, for the library, the payment page and the gateway; narrow ranges stand above the wide ones
 * around them. Observed (12.4): Amex, Diners 300-305 and 36, JCB, Laser, Discover with their lengths. As the card schemes
 * publish them: Mastercard 2221-2720, Visa of 19 digits, Diners 38-39, Discover 644-649, Electron, Solo, UK Maestro,
 * Dankort, Forbrugsforeningen, and Maestro. Maestro is no rest of 50 and 56-69: UnionPay, RuPay and others live there too.
 */
export const CARD_BRANDS: readonly CardBrand[] = [
  { name: 'dankort', starts: '5019', lengths: '16', isForeign: true },
  { name: 'forbrugsforeningen', starts: '600722', lengths: '16', isForeign: true },
  { name: 'amex', starts: '34 37', lengths: '15' },
  { name: 'diners', starts: '300-305 36 38-39', lengths: '14' },
  { name: 'jcb', starts: '3528-3589', lengths: '16' },
  { name: 'electron', starts: '4026 417500 4405 4508 4844 4913 4917', lengths: '16' },
  { name: 'uk_maestro', starts: '4903 4905 4911 4936 564182 633110 6333', lengths: '16 18 19' },
  { name: 'visa', starts: '4', lengths: '13 16 19' },
  { name: 'mastercard', starts: '51-55 2221-2720', lengths: '16' },
  { name: 'laser', starts: '6304 6706 6709 6771', lengths: '16-19' },
  { name: 'solo', starts: '6334 6767', lengths: '16 18 19' },
  { name: 'discover', starts: '6011 622126-622925 644-649 65', lengths: '16' },
  { name: 'maestro', starts: '5018 5020 5038 56-58 67', lengths: '12-19' },
]

/** Whether the text begins with, or lies between, what one of the ranges says. */
const isWithin = (ranges: string, digits: string): boolean =>
  ranges.split(' ').some((range) => {
    const [from = '', to = from] = range.split('-')
    const start = digits.slice(0, from.length)
    return start.length === from.length && start >= from && start <= to
  })

/** The brand of a whole card number; undefined when first digits and length fit none. */
export const brandOfNumber = (digits: string): CardBrand | undefined =>
  CARD_BRANDS.find(({ starts, lengths }) => isWithin(starts, digits) && isWithin(lengths, `${digits.length}`))

/** The brand that first digits show while a number is typed; undefined while none is certain. */
export const brandOfStart = (digits: string): CardBrand | undefined =>
  CARD_BRANDS.find(({ starts }) => isWithin(starts, digits))
