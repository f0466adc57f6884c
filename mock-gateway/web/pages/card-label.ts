import { type CardType, findBrandByType } from '../../domain/card/card-types.ts'
import { renderBrandMark } from './brand-marks.ts'
import { html, type SafeHtml } from './html.ts'

/** A card as all pages show it: logo, brand and last four digits. */
export interface CardLabel {
  /** Null if the brand has no logo. */
  readonly brand: string | null
  readonly name: string
  readonly last4: string
}

/** @param number at least its last four digits */
export const createCardLabel = (type: CardType, number: string): CardLabel => ({
  ...findBrandByType(type),
  last4: number.slice(-4),
})

/** Renders a card. The dots are hidden from screen readers, which read its brand and digits. */
export const renderCardLabel = ({ brand, name, last4 }: CardLabel): SafeHtml =>
  html`${brand && html`${renderBrandMark(brand, '')} `}${name}
<span class="number"><span aria-hidden="true">••••</span> ${last4}</span>`

/** Writes a card number in groups of four digits. */
export const groupDigits = (number: string): string => number.replace(/\d{4}(?=\d)/g, '$& ')
