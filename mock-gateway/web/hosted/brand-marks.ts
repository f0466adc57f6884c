import type { CardType } from '../../domain/card/card-types.ts'
import { BRANDS, markOf } from '../pages/written-card.ts'
import type { HostedTexts } from './texts/words.ts'

/** The mark of a brand, as the page shows it. */
export interface BrandMark {
  /** Its picture, by the path of the asset. */
  readonly file: string
  readonly name: string
  /** Card types that it stands for, with a blank between two. */
  readonly types: string
  /** That a card is of this brand, and where its security code stands. */
  readonly said: string
  readonly code: string
}

/** Marks of what a merchant takes. */
export const brandMarks = (
  taken: readonly CardType[],
  { card_seen, card_code }: HostedTexts,
): BrandMark[] =>
  Object.entries(BRANDS)
    .filter(([, { types }]) => types.some((type) => taken.includes(type)))
    .map(([brand, { name, types }]) => ({
      file: markOf(brand),
      name,
      types: types.join(' '),
      said: `${/^[AEIOU]/.test(name) ? card_seen.an : card_seen.a} ${name}`,
      code: brand === 'amex' ? card_code.four : card_code.three,
    }))
