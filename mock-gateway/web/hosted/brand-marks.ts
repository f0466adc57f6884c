import { BRANDS, type CardType } from '../../domain/card/card-types.ts'
import type { HostedTexts } from './texts/words.ts'

/** The logo of a brand on the page. */
export interface BrandMark {
  readonly brand: string
  readonly name: string
  /** Card types of the brand, separated by blanks. */
  readonly types: string
  /** Text for screen readers: the brand, and the position of the security code. */
  readonly said: string
  readonly code: string
}

/** Returns the logos of the cards that a merchant accepts. */
export const brandMarks = (
  taken: readonly CardType[],
  { card_seen, card_code }: HostedTexts,
): BrandMark[] =>
  Object.entries(BRANDS)
    .filter(([, { types }]) => types.some((type) => taken.includes(type)))
    .map(([brand, { name, types }]) => ({
      brand,
      name,
      types: types.join(' '),
      said: `${/^[AEIOU]/.test(name) ? card_seen.an : card_seen.a} ${name}`,
      code: brand === 'amex' ? card_code.four : card_code.three,
    }))
