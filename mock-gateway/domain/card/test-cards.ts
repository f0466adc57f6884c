import { luhnDigit } from '../../../sdk/shared/typed-card.ts'
import { type CardType, detectBrand } from './card-types.ts'
import { CASES } from './three-d-secure-cases.ts'

/** A card number that only pays with test=true. */
export interface TestCard {
  readonly brand: CardType
  /** Number of its case in `CASES`, from 1; absent for cards that are never challenged. */
  readonly threeDSecure?: number
}

/**
 * Common test numbers of the industry, never challenged (our decision: the specification leaves out
 * its list).
 */
const PLAIN = [
  '4111111111111111',
  '4012888888881881',
  '4222222222222',
  '5555555555554444',
  '5105105105105100',
  '30569309025904',
  '38520000023237',
  '6011111111111117',
  '6011000990139424',
  '3530111333300000',
  '3566002020360505',
  '378282246310005',
  '371449635398431',
]

/** Card schemes of the 3-D Secure set: first digits and length of the numbers. */
const SCHEMES: readonly (readonly [brand: CardType, firstDigits: string, length: number])[] = [
  ['visa', '4', 16],
  ['mastercard', '52', 16],
  ['amex', '34', 15],
  ['jcb', '3528', 16],
  ['diners', '36', 14],
  ['discover', '6011', 16],
  ['maestro', '6759', 16],
]

/**
 * Second numbers for cases 1 to 13, as twelve first digits and the last four of each case in order.
 */
const SECOND_SET: readonly (readonly [brand: CardType, firstDigits: string, lastFour: string])[] = [
  ['visa', '400000000000', '2701 2925 2719 2313 2537 2990 2446 2354 2560 2503 2370 2420 2644'],
  [
    'mastercard',
    '520000000000',
    '2235 2276 2482 2268 2185 2409 2037 2326 2508 2151 2490 2664 2656',
  ],
]

/**
 * Builds a number from the first digits of the scheme, zeros, 100 for case 1 and so on, and the
 * Luhn digit.
 */
function createCaseNumber(firstDigits: string, length: number, threeDSecure: number): string {
  const start = firstDigits.padEnd(length - 4, '0') + String(99 + threeDSecure)
  return start + luhnDigit(start)
}

function createPlainCard(number: string): readonly [string, TestCard] {
  const brand = detectBrand(number)
  if (brand === undefined) throw new TypeError(`No brand has the test number ${number}`)
  return [number, { brand }]
}

/** Every test card by its number. */
export const TEST_CARDS: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ...PLAIN.map(createPlainCard),
  ...SCHEMES.flatMap(([brand, firstDigits, length]) =>
    CASES.map(
      (_, index) =>
        [
          createCaseNumber(firstDigits, length, index + 1),
          { brand, threeDSecure: index + 1 },
        ] as const,
    ),
  ),
  ...SECOND_SET.flatMap(([brand, firstDigits, lastFour]) =>
    lastFour
      .split(' ')
      .map((last, index) => [firstDigits + last, { brand, threeDSecure: index + 1 }] as const),
  ),
])

/** Returns the test card of a number (digits only); undefined for other numbers. */
export const testCard = (number: string): TestCard | undefined => TEST_CARDS.get(number)

/** Returns the first number of a 3-D Secure case, a Visa card. */
export const createNumberOfCase = (threeDSecure: number): string =>
  createCaseNumber('4', 16, threeDSecure)
