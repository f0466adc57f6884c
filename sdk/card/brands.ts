/** How one card type's numbers look. */
export interface Brand {
  /** The service's word for the card type, lower case. */
  name: string
  /** First digits, single or from and to, separated by blanks: `300-305 36`. */
  starts: string
  /** Allowed numbers of digits. */
  lengths: readonly number[]
  /** False for card types the service has no word for; they are never sent as `card_type`. */
  isSendable?: false
}

/** Card types by number range, most particular first (observed: card brand rules; ranges of the card industry). */
export const BRANDS: readonly Brand[] = [
  { name: 'dankort', starts: '5019', lengths: [16], isSendable: false },
  { name: 'forbrugsforeningen', starts: '600722', lengths: [16], isSendable: false },
  { name: 'electron', starts: '4026 417500 4405 4508 4844 4913 4917', lengths: [16] },
  { name: 'visa', starts: '4', lengths: [13, 16, 19] },
  { name: 'mastercard', starts: '51-55 2221-2720', lengths: [16] },
  { name: 'amex', starts: '34 37', lengths: [15] },
  { name: 'diners', starts: '300-305 36 38-39', lengths: [14, 16, 19] },
  { name: 'jcb', starts: '3528-3589', lengths: [16] },
  { name: 'discover', starts: '6011 622126-622925 644-649 65', lengths: [16] },
  { name: 'laser', starts: '6304 6706 6709 6771', lengths: [16, 17, 18, 19] },
  { name: 'maestro', starts: '50 56-69', lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
]

/** The card type of a number or of its first digits; undefined when no range is certain yet or it is not a number. */
export function brandOf(digits: string): Brand | undefined {
  const isIn = (range: string) => {
    const [from = '', to = from] = range.split('-')
    const start = digits.slice(0, from.length)
    return start.length === from.length && start >= from && start <= to
  }
  return /^\d+$/.test(digits) ? BRANDS.find(({ starts }) => starts.split(' ').some(isIn)) : undefined
}
