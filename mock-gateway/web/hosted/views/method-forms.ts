import { brandMark } from '../../pages/brand-marks.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { cardText } from '../../pages/written-card.ts'
import type { PaymentFormData } from '../form-data.ts'
import type { InputName } from '../inputs.ts'
import type { OrderView } from '../order.ts'
import { linkTo, markPicture, methodList, planChoice, savedCards } from './choices.ts'
import { details, field } from './field.ts'
import { type HostedContext, tokenField } from './sheet.ts'

/** The parts in which the forms of the methods differ. */
interface MethodForm {
  readonly id: string
  /** Additional hidden fields. */
  readonly hidden?: Readonly<Record<string, string | null>>
  readonly attributes?: SafeHtml | null
  readonly fields: SafeHtml
  readonly button: string
}

type DescribeForm = (context: HostedContext, order: OrderView, form: PaymentFormData) => MethodForm

/** Form of each kind of method. */
const METHOD_FORMS: Readonly<Record<Exclude<PaymentFormData['form'], 'wallet'>, DescribeForm>> = {
  card: cardForm,
  invoice: invoiceForm,
  asked: askedForm,
}

/** Renders the methods in one list, with the form of the chosen one below its name. */
export function payForm(context: HostedContext, order: OrderView, form: PaymentFormData): SafeHtml {
  if (form.form === 'wallet') return walletForm(context, order, form)
  const { id, hidden, attributes, fields, button } = METHOD_FORMS[form.form](context, order, form)
  const { version, method, script_texts } = form
  return html`<form id="${id}" class="pay" method="post" action="${context.address}"${attributes}
  data-texts="${script_texts}">${tokenField(context)}
${hiddenFields({ version, payment_method: method, ...hidden })}
${methodList(context, form, fields, method === 'credit_card' ? cardMarks(context, form) : null)}
<button type="submit" class="button">${button}</button>
</form>`
}

function cardForm(
  context: HostedContext,
  { amount }: OrderView,
  form: PaymentFormData,
): MethodForm {
  const { text } = context
  const { this_month, asks_cvv, can_store, store_card } = form
  const fieldOf = (name: InputName) => field(context, form, name)
  return {
    id: 'mondidopayform',
    attributes: html` data-month="${this_month}"${asks_cvv ? html` data-cvv="asked"` : null}`,
    fields: html`${planChoice(context, form)}
${details(context, form)}
${savedCards(context, form)}
<fieldset class="new-card">
<legend>${text.card}</legend>
${form.problems.length > 0 ? html`<p class="hint">${text.card_again}</p>` : null}
${fieldOf('card_number')}
<p class="hidden" id="brand" role="status"></p>
<div class="pair">
${fieldOf('card_expiry')}
${asks_cvv ? null : fieldOf('card_cvv')}
</div>
${fieldOf('card_holder')}
${
  can_store
    ? html`<p class="box"><input type="checkbox" id="store_card"
  name="store_card" value="true"${store_card ? html` checked` : null}>
<label for="store_card">${text.store_card}</label></p>`
    : null
}
</fieldset>
${asks_cvv ? fieldOf('card_cvv') : null}`,
    button: `${text.pay} ${amount}`,
  }
}

const cardMarks = ({ text }: HostedContext, { marks }: PaymentFormData): SafeHtml =>
  html`<ul class="marks" aria-label="${text.cards_taken}" data-code="${text.card_cvv_hint}">
${marks.map(
  ({ types, said, code, brand, name }) =>
    html`<li data-types="${types}" data-said="${said}"
  data-code="${code}">${brandMark(brand, name)}</li>
`,
)}</ul>`

/** Renders the address fields, which only payers without a registered address must fill in. */
function invoiceForm(
  context: HostedContext,
  { amount }: OrderView,
  form: PaymentFormData,
): MethodForm {
  const { text } = context
  const { step, problems } = form
  const fieldOf = (name: InputName) => field(context, form, name)
  return {
    id: 'invoiceform',
    hidden: { step },
    fields: html`${
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
${(['email', 'phone', 'country_code', 'personal_number'] as const).map(fieldOf)}`,
    button: `${text.invoice_buy}, ${amount}`,
  }
}

function askedForm(
  context: HostedContext,
  { amount }: OrderView,
  form: PaymentFormData,
): MethodForm {
  const { text } = context
  const { method, method_field } = form
  const { name, intro }: { readonly name: string; readonly intro?: string } = text.methods[method]
  return {
    id: `${method}form`,
    fields: html`${details(context, form)}
<p class="quiet">${intro}</p>
${method_field && field(context, form, method_field)}`,
    button: method_field ? `${text.pay} ${amount}` : `${text.continue_to} ${name}`,
  }
}

function walletForm(
  context: HostedContext,
  { merchant, amount }: OrderView,
  form: PaymentFormData,
): SafeHtml {
  const { text } = context
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
<label for="wallet_card_${name}">${cardText(card)}
${outcome && html`<span class="quiet">${outcome}</span>`}</label></p>
`,
)}</fieldset>
<button type="submit" class="button">${text.wallet_pay} ${wallet?.name}</button>
<p class="leave"><a href="${linkTo(context, 'credit_card')}">${text.wallet_close}</a></p>
</form>`
}
