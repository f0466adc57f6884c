import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { cardText } from '../../pages/written-card.ts'
import type { PaymentFormData } from '../form-data.ts'
import type { InputName } from '../inputs.ts'
import type { OrderView } from '../order.ts'
import { linkTo, markPicture, planChoice, savedCards } from './choices.ts'
import { details, field } from './field.ts'
import { type HostedContext, tokenField } from './sheet.ts'

type RenderForm = (context: HostedContext, order: OrderView, form: PaymentFormData) => SafeHtml

/** Form of each kind of method. A wallet has a form of its own. */
export const METHOD_FORMS: Readonly<Record<PaymentFormData['form'], RenderForm>> = {
  card: cardForm,
  wallet: walletForm,
  invoice: invoiceForm,
  asked: askedForm,
}

/** Renders the hidden fields of every form that pays. */
const payFields = (context: HostedContext, version: string, method: string): SafeHtml =>
  html`${tokenField(context)}${hiddenFields({ version, payment_method: method })}`

function cardForm(context: HostedContext, { amount }: OrderView, form: PaymentFormData): SafeHtml {
  const { text, addressOf } = context
  const { this_month, asks_cvv, script_texts, version, marks, can_store, store_card, cards } = form
  const fieldOf = (name: InputName) => field(context, form, name)
  return html`<form id="mondidopayform" class="pay" method="post" action="${context.address}"
  data-month="${this_month}"${asks_cvv ? html` data-cvv="asked"` : null}
  data-texts="${script_texts}">${payFields(context, version, 'credit_card')}
${planChoice(context, form)}
${details(context, form)}
${savedCards(context, form)}
<fieldset class="new-card">
<legend>${text.card}</legend>
<ul class="marks" aria-label="${text.cards_taken}" data-code="${text.card_cvv_hint}">
${marks.map(
  ({ types, said, code, file, name }) =>
    html`<li data-types="${types}" data-said="${said}" data-code="${code}">
<img src="${addressOf(file)}" alt="${name}" width="38" height="24"></li>
`,
)}</ul>
${form.problems.length > 0 ? html`<p class="hint">${text.card_again}</p>` : null}
${fieldOf('card_number')}
<p class="hidden" id="brand" role="status"></p>
${fieldOf('card_holder')}
<div class="pair">
${fieldOf('card_expiry')}
${asks_cvv ? null : fieldOf('card_cvv')}
</div>
${
  can_store
    ? html`<p class="box"><input type="checkbox" id="store_card"
  name="store_card" value="true"${store_card ? html` checked` : null}>
<label for="store_card">${text.store_card}</label></p>`
    : null
}
</fieldset>
${asks_cvv ? fieldOf('card_cvv') : null}
<button type="submit" class="button">${text.pay} ${amount}</button>
</form>
${
  cards.length > 0
    ? html`<form id="remove-card" method="post">${tokenField(context)}
${hiddenFields({ action: 'remove_card', version })}</form>`
    : null
}`
}

function walletForm(
  context: HostedContext,
  { merchant, amount }: OrderView,
  form: PaymentFormData,
): SafeHtml {
  const { text, addressOf } = context
  const { wallet, wallet_cards, script_texts, version } = form
  return html`<form id="walletform" class="pay wallet" method="post" action="${context.address}"
  data-texts="${script_texts}">${tokenField(context)}
<h2>${wallet && markPicture(wallet.mark)}${wallet?.name}
<span class="badge">${text.wallet_simulated}</span></h2>
<p class="asked"><span>${merchant}</span> <strong>${amount}</strong></p>
${hiddenFields({ version, payment_method: 'credit_card', wallet_type: wallet?.type ?? null })}
${planChoice(context, form)}
${details(context, form)}
<fieldset class="choice">
<legend>${text.wallet_card}</legend>
${wallet_cards.map(
  ({ name, card, outcome }, at) =>
    html`<p class="option"><input type="radio" id="wallet_card_${name}"
  name="wallet_card" value="${name}"${at === 0 ? html` checked` : null}>
<label for="wallet_card_${name}">${cardText(card, addressOf)}
${outcome && html`<span class="quiet">${outcome}</span>`}</label></p>
`,
)}</fieldset>
<button type="submit" class="button">${text.wallet_pay} ${wallet?.name}</button>
<p class="leave"><a href="${linkTo(context, 'credit_card')}">${text.wallet_close}</a></p>
</form>`
}

/** Renders the address fields, which only payers without a registered address must fill in. */
function invoiceForm(
  context: HostedContext,
  { amount }: OrderView,
  form: PaymentFormData,
): SafeHtml {
  const { text } = context
  const { script_texts, version, step, problems } = form
  const fieldOf = (name: InputName) => field(context, form, name)
  return html`<form id="invoiceform" class="pay" method="post" action="${context.address}"
  data-texts="${script_texts}">${payFields(context, version, 'invoice')}
<input type="hidden" name="step" value="${step}">
${
  step === 'payer'
    ? html`<p class="quiet">${text.methods.invoice.intro}</p>`
    : html`<p class="note" id="address"
  role="status"${problems.length === 0 ? html` tabindex="-1" autofocus` : null}>
${text.invoice_unknown}</p>
<div class="pair">
${fieldOf('first_name')}${fieldOf('last_name')}</div>
${fieldOf('address_1')}<div class="pair">
${fieldOf('zip')}${fieldOf('city')}</div>`
}
${fieldOf('email')}
${fieldOf('phone')}
${fieldOf('country_code')}
${fieldOf('personal_number')}
<button type="submit" class="button">${text.invoice_buy}, ${amount}</button>
</form>`
}

function askedForm(context: HostedContext, { amount }: OrderView, form: PaymentFormData): SafeHtml {
  const { text } = context
  const { method, method_field, script_texts, version } = form
  const { name, intro }: { readonly name: string; readonly intro?: string } = text.methods[method]
  const action = method_field ? `${text.pay} ${amount}` : `${text.continue_to} ${name}`
  return html`<form id="${method}form" class="pay" method="post" action="${context.address}"
  data-texts="${script_texts}">${payFields(context, version, method)}
${details(context, form)}
<p class="quiet">${intro}</p>
${method_field && field(context, form, method_field)}
<button type="submit" class="button">${action}</button>
</form>`
}
