import { brandOfType, type CardType } from '../../domain/card/card-types.ts'
import type { AddressOf } from './assets.ts'
import { html, type SafeHtml } from './html.ts'

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
  const { brand, name } = brandOfType(type)
  return { file: brand === null ? null : markOf(brand), name, last4: number.slice(-4) }
}

/** Renders a card. The dots are hidden from screen readers, which read its brand and digits. */
export function cardText({ file, name, last4 }: WrittenCard, addressOf: AddressOf): SafeHtml {
  const logo =
    file && html`<img class="mark" src="${addressOf(file)}" alt="" width="38" height="24"> `
  return html`${logo}${name}
<span class="digits"><span aria-hidden="true">••••</span> ${last4}</span>`
}
