import { html, type SafeHtml } from '../../pages/html.ts'
import type { OrderView } from '../order.ts'
import { amountLine, type HostedContext, header, orderName } from './sheet.ts'

/** Renders merchant, amount and items of an order, next to a form. */
export const orderSection = (context: HostedContext, order: OrderView): SafeHtml =>
  html`<div class="side">
${header(context, order)}
<section class="order" aria-label="${orderName(context, order)}">
<p class="quiet">${context.text.to_pay}</p>
${amountLine(order)}
${goods(context, order, true)}
</section>
</div>`

/**
 * Renders the items of an order. A receipt shows them all, because a printer leaves out what is
 * folded; above a form on a phone they are folded, since the form would be far down.
 */
export function goods(
  { text }: HostedContext,
  { items, vat, amount }: OrderView,
  isAboveForm: boolean,
): SafeHtml | null {
  const tax = vat && `${text.of_which_vat} ${vat}`
  if (items.length === 0) return tax ? html`<p class="quiet">${tax}</p>` : null
  return html`<details class="goods"${isAboveForm ? null : html` open`}>
<summary>${text.items} (${items.length})</summary>
<ul class="items">
${items.map(
  (item) => html`<li>
<span>${item.description}
${item.quantity && html`<span class="quiet">× ${item.quantity}</span>`}</span>
<span class="sum">${item.amount}</span></li>
`,
)}${
  items.length === 1
    ? tax &&
      html`<li><span class="vat">${tax}</span></li>
`
    : html`<li class="total"><span>${text.total}${tax && html` <span class="vat">${tax}</span>`}</span>
<span class="sum">${amount}</span></li>
`
}</ul>
</details>`
}
