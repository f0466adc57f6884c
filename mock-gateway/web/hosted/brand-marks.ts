import type { CardType } from '../../domain/card/card-types.ts'
import type { Texts } from './texts/words.ts'

/** Brands that have a mark, in the order they are shown; other card types are shown as the brand they belong to. */
const MARKS: Readonly<Record<string, { readonly name: string; readonly types: readonly CardType[] }>> = {
  visa: { name: 'Visa', types: ['visa', 'visa_debit', 'electron'] },
  mastercard: { name: 'Mastercard', types: ['mastercard', 'debit_mastercard'] },
  maestro: { name: 'Maestro', types: ['maestro', 'uk_maestro'] },
  amex: { name: 'American Express', types: ['amex'] },
  diners: { name: 'Diners Club', types: ['diners'] },
  discover: { name: 'Discover', types: ['discover'] },
  jcb: { name: 'JCB', types: ['jcb'] },
}

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
export const brandMarks = (taken: readonly CardType[], { card_seen, card_code }: Texts): BrandMark[] =>
  Object.entries(MARKS)
    .filter(([, { types }]) => types.some((type) => taken.includes(type)))
    .map(([brand, { name, types }]) => ({
      file: `hosted/marks/${brand}.svg`,
      name,
      types: types.join(' '),
      said: `${/^[AEIOU]/.test(name) ? card_seen.an : card_seen.a} ${name}`,
      code: brand === 'amex' ? card_code.four : card_code.three,
    }))
