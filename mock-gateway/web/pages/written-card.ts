import type { CardType } from '../../domain/card/card-types.ts'
import type { AddressOf } from './assets.ts'
import { html, type SafeHtml } from './html.ts'

/** Brands with a logo, in the order of display; other card types use the logo of their brand. */
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

/** Returns the path of a brand's logo. */
export const markOf = (brand: string): string => `hosted/marks/${brand}.svg`

/** A card as all pages show it: logo, brand and last four digits. */
export interface WrittenCard {
  /** Null if the brand has no logo. */
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

/** Renders a card. The dots are hidden from screen readers, which read its brand and digits. */
export const cardText = ({ file, name, last4 }: WrittenCard, addressOf: AddressOf): SafeHtml =>
  html`${file && html`<img class="mark" src="${addressOf(file)}" alt="" width="38" height="24"> `}${name} <span class="digits"><span aria-hidden="true">••••</span> ${last4}</span>`
