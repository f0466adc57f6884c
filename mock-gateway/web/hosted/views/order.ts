import { html, type SafeHtml } from '../../pages/html.ts'
import type { OrderView } from '../order.ts'
import { amountLine, type HostedContext } from './sheet.ts'

/** Renders the order, next to a form. */
export const orderSection = (
  context: HostedContext,
  order: OrderView,
): SafeHtml => html`<section class="order" aria-label="${orderName(context, order)}">
<p class="quiet">${context.text.to_pay}</p>
${amountLine(order)}
<p class="quiet">${orderName(context, order)}</p>
${goods(context, order, true)}
</section>`

/** Returns the name of an order. One such as "order-1038" needs no word before it. */
const orderName = ({ text }: HostedContext, { payment_ref }: OrderView): string =>
  payment_ref.toLowerCase().startsWith(text.order.toLowerCase())
    ? payment_ref
    : `${text.order} ${payment_ref}`

/** Number of items from which the list is folded. */
const MANY_ITEMS = 5

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
  const isAlone = items.length === 1
  const isShort = items.length < MANY_ITEMS
  const style = isAboveForm && isShort ? 'goods few' : 'goods'
  return html`<details class="${style}"${isAboveForm ? null : html` open`}>
<summary>${text.items} (${items.length})</summary>
<ul class="items">
${items.map(
  (item) => html`<li>
<span>${item.description}
${item.quantity && html`<span class="quiet">× ${item.quantity}</span>`}</span>
<span class="sum">${item.amount}</span></li>
`,
)}${
  isAlone
    ? tax &&
      html`<li><span class="vat">${tax}</span></li>
`
    : html`<li class="total"><span>${text.total}${tax && html` <span class="vat">${tax}</span>`}</span>
<span class="sum">${amount}</span></li>
`
}</ul>
</details>`
}
