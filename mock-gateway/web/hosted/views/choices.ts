import { html, type SafeHtml, trustedHtml } from '../../pages/html.ts'
import { cardText } from '../../pages/written-card.ts'
import type { PaymentFormData } from '../form-data.ts'
import type { HostedContext } from './sheet.ts'

/**
 * Renders the methods as one list. Its links work without scripts. A method that is the only one has
 * no list.
 * @param fields form of the chosen method
 * @param marks logos next to its name
 */
export const methodList = (
  context: HostedContext,
  { methods, method }: PaymentFormData,
  fields: SafeHtml,
  marks: SafeHtml | null,
): SafeHtml =>
  methods.length < 2
    ? html`${marks}
${fields}`
    : html`<ul class="methods" aria-label="${context.text.choose_method}">
${methods.map((name) => {
  const isChosen = name === method
  return html`<li><div class="way">
<a href="${linkTo(context, name)}"${isChosen ? html` aria-current="true"` : null}>
${context.text.methods[name].name}</a>${isChosen ? marks : null}</div>
${isChosen ? html`<div class="fields">${fields}</div>` : null}</li>
`
})}</ul>`

/** Draws the icon of a wallet. @param mark its SVG, 24 by 24, from our own tables */
export const markPicture = (mark: string): SafeHtml =>
  html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none"
  stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
${trustedHtml(mark)}</svg>`

/** Renders the links to the wallets, which are first because they are the quickest to pay with. */
export const walletLinks = (
  context: HostedContext,
  { wallets }: PaymentFormData,
): SafeHtml | null =>
  wallets.length === 0
    ? null
    : html`<ul class="wallets" aria-label="${context.text.wallets}">
${wallets.map(
  ({ type, name, mark }) => html`<li>
<a href="${linkTo(context, type)}">${markPicture(mark)}<span>${name}</span></a></li>
`,
)}</ul>
<p class="or">${context.text.wallets_or}</p>`

/** Returns the address of the page with a method or a wallet selected. */
export const linkTo = ({ page, locale, builtIn }: HostedContext, selected: string): string =>
  `${page}?lang=${locale}${builtIn}&payment.selected=${selected}`

/** Renders the plans to choose from. */
export const planChoice = ({ text }: HostedContext, { plans }: PaymentFormData): SafeHtml | null =>
  plans.length === 0
    ? null
    : html`<fieldset class="choice">
<legend>${text.plans}</legend>
${plans.map(
  ({ id, name, price, interval, description, is_chosen }) => html`<p class="option">
<input type="radio" id="plan_${id}"
  name="plan_id" value="${id}"${is_chosen ? html` checked` : null}>
<label for="plan_${id}">${name} <span>${price} ${interval}</span>
${description && html`<span class="quiet">${description}</span>`}</label></p>
`,
)}</fieldset>`

/** Renders the stored cards, and the choice to pay with another card. */
export const savedCards = (
  context: HostedContext,
  { cards, card_is_removed, chosen_card }: PaymentFormData,
): SafeHtml => {
  const { text } = context
  return html`${
    card_is_removed
      ? html`<p class="note" id="removed" role="status" tabindex="-1" autofocus>
${text.card_removed}</p>
`
      : null
  }${
    cards.length === 0
      ? null
      : html`<fieldset class="choice" id="saved-cards">
<legend>${text.saved_cards}</legend>
${cards.map((card) => savedCard(context, card))}
<p class="option"><input type="radio" id="stored_card_none"
  name="stored_card" value=""${chosen_card === '' ? html` checked` : null}>
<label for="stored_card_none">${text.another_card}</label></p>
</fieldset>`
  }`
}

/** Renders a stored card. It is removed in two steps, with a form that sends no typed values. */
function savedCard({ text }: HostedContext, card: PaymentFormData['cards'][number]): SafeHtml {
  const { id, expiry, is_chosen } = card
  const called = html`<span class="hidden"> ${card.name} ${card.last4}</span>`
  return html`<div class="option"><input type="radio" id="stored_card_${id}"
  name="stored_card" value="${id}"${is_chosen ? html` checked` : null}>
<label for="stored_card_${id}">${cardText(card)}
<span class="quiet">${text.saved_card_until} ${expiry}</span></label>
<details class="remove"><summary>${text.remove}${called}</summary>
<button form="remove-card" name="stored_card" value="${id}"
  class="answer">${text.remove_card}${called}</button></details></div>
`
}
