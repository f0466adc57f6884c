import { html, type SafeHtml } from '../../pages/html.ts'
import { cardText } from '../../pages/written-card.ts'
import type { ShownChallenge } from '../asked.ts'
import type { BankContext } from './sheet.ts'

/** Renders the payment that the payer confirms: shop, amount, date and card. */
export const orderFacts = (
  { text }: BankContext,
  { merchant, amount, price, date, card }: ShownChallenge,
): SafeHtml => html`<dl>
<div><dt>${text.merchant}</dt><dd>${merchant}</dd></div>
<div><dt>${text.amount}</dt><dd><data value="${amount}">${price}</data></dd></div>
<div><dt>${text.date}</dt><dd>${date}</dd></div>
<div><dt>${text.card}</dt><dd>${cardText(card)}</dd></div>
</dl>`
