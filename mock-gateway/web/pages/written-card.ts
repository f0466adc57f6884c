import type { CardType } from '../../domain/card/card-types.ts'

/**
 * Brands that have a mark, in the order they are shown; other card types are shown as the brand
 * they belong to.
 */
export const BRANDS: Readonly<
  Record<string, { readonly name: string; readonly types: readonly CardType[] }>
> = {
  visa: { name: 'Visa', types: ['visa', 'visa_debit', 'electron'] },
  mastercard: { name: 'Mastercard', types: ['mastercard', 'debit_mastercard'] },
  maestro: { name: 'Maestro', types: ['maestro', 'uk_maestro'] },
  amex: { name: 'American Express', types: ['amex'] },
  diners: { name: 'Diners Club', types: ['diners'] },
  discover: { name: 'Discover', types: ['discover'] },
  jcb: { name: 'JCB', types: ['jcb'] },
}

/** The picture of a brand, by the path of the asset. */
export const markOf = (brand: string): string => `hosted/marks/${brand}.svg`

/** A card as all pages write it: its mark, its brand and its last four digits. */
export interface WrittenCard {
  /** Null where the brand has none. */
  readonly file: string | null
  readonly name: string
  readonly last4: string
}

/** @param number at least its last four digits */
export function writtenCard(type: CardType, number: string): WrittenCard {
  const [brand, known] = Object.entries(BRANDS).find(([, { types }]) => types.includes(type)) ?? []
  const name = known?.name ?? (type[0] ?? '').toUpperCase() + type.slice(1).replaceAll('_', ' ')
  return { file: brand ? markOf(brand) : null, name, last4: number.slice(-4) }
}
