import { detectBrand } from '../../domain/card/card-types.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { formatMoney, NOTHING } from '../../domain/money/money.ts'
import { getRules } from '../../domain/order/payment-methods.ts'
import { WALLETS } from '../../domain/order/wallets.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import type { PlanRow } from '../../storage/tables/subscriptions.ts'
import { createCardLabel, renderCardLabel } from '../pages/card-label.ts'
import { html, type SafeHtml, trustHtml } from '../pages/html.ts'
import { listWalletCards } from './choices.ts'
import { type InputName, renderChoice, renderInputField, renderOption } from './fields.ts'
import { formatMonth, type PaymentForm } from './form.ts'
import type { HostedContext } from './page.ts'
import type { HostedTexts } from './texts/sv.ts'
import { TEXTS } from './texts.ts'

/** The parts in which the forms of the methods differ. */
interface MethodForm {
  readonly id: string
  readonly attributes?: SafeHtml
  readonly hidden?: Readonly<Record<string, string | null>>
  /** Above the fields, if the form is not in the list of methods. */
  readonly heading?: SafeHtml
  readonly fields: SafeHtml
  readonly button: string
  readonly below?: SafeHtml
}

/** Texts of a method whose payer approves elsewhere. */
interface MethodTexts {
  readonly name: string
  readonly intro?: string
  /** Where the payer continues, if that is not its name. */
  readonly place?: string
}

export const METHOD_FORMS: Readonly<
  Record<PaymentForm['kind'], (form: PaymentForm) => MethodForm>
> = {
  card(form) {
    const { text, order, settings, cards, canStore, parameters, problems, now } = form
    const asksCvv = settings.stored_card_cvv && cards.length > 0
    return {
      id: 'mondidopayform',
      attributes: html` data-month="${formatMonth(now)}"${asksCvv ? html` data-cvv="required"` : null}`,
      fields: html`${planChoice(form)}
${renderDetails(form)}
${renderSavedCards(form)}
<fieldset class="new-card">
<legend class="unseen">${text.card}</legend>
${problems.length > 0 ? html`<p class="hint">${text.card_again}</p>` : null}
${renderInputField(form, 'card_number')}
<p class="unseen" id="brand" role="status"></p>
<div class="pair">
${renderInputField(form, 'card_expiry')}
${asksCvv ? null : renderInputField(form, 'card_cvv')}
</div>
${renderInputField(form, 'card_holder')}
${
  canStore
    ? html`<p class="box"><input type="checkbox" id="store_card"
  name="store_card" value="true"${parameters.store_card === undefined ? null : html` checked`}>
<label for="store_card">${text.store_card}</label></p>`
    : null
}
</fieldset>
${asksCvv ? renderInputField(form, 'card_cvv') : null}`,
      button: `${text.pay} ${order.amount}`,
    }
  },

  /** Only payers without a registered address must fill in the address. */
  invoice(form) {
    const { text, order, invoice, problems } = form
    const renderField = (name: InputName) => renderInputField(form, name)
    return {
      id: 'invoiceform',
      hidden: { step: invoice?.step ?? null },
      fields: html`${
        invoice?.step === 'address'
          ? html`<p class="callout waiting" id="address"
  role="status"${problems.length === 0 ? html` tabindex="-1" autofocus` : null}>
${text.invoice_unknown}</p>
<div class="pair">
${renderField('first_name')}${renderField('last_name')}</div>
${renderField('address_1')}<div class="pair">
${renderField('zip')}${renderField('city')}</div>`
          : html`<p class="quiet">${text.methods.invoice.intro}</p>`
      }
${(['country_code', 'personal_number', 'email', 'phone'] as const).map(renderField)}`,
      button: `${text.invoice_buy}, ${order.amount}`,
    }
  },

  approval(form) {
    const { text, order, method } = form
    const own = getRules(method).page?.field
    const { name, intro, place = name }: MethodTexts = text.methods[method]
    return {
      id: `${method}form`,
      fields: html`${renderDetails(form)}
<p class="quiet">${intro}</p>
${own && renderInputField(form, own)}`,
      button: own ? `${text.pay} ${order.amount}` : `${text.continue_to} ${place}`,
    }
  },

  wallet(form) {
    const { text, order, wallet, hasHelper } = form
    const { name = '', mark = '' } = wallet ? WALLETS[wallet] : {}
    const cards = listWalletCards(form.merchant).map(({ name, number, outcome }, at) => {
      const card = renderCardLabel(createCardLabel(detectBrand(number) ?? 'visa', number))
      const ends = hasHelper ? html`<small>${text[outcome]}</small>` : null
      return renderOption('wallet_card', name, at === 0, html`${card}\n${ends}`)
    })
    return {
      id: 'walletform',
      hidden: { wallet_type: wallet ?? null },
      heading: html`<h2 class="who">${markPicture(mark)}${name}
<span class="is waiting">${text.wallet_simulated}</span></h2>
<p class="head"><span>${order.merchant}</span> <strong>${order.amount}</strong></p>`,
      fields: html`${planChoice(form)}
${renderDetails(form)}
${renderChoice(text.wallet_card, cards)}`,
      button: `${text.wallet_pay} ${name}`,
      below: html`<p class="leave"><a href="${linkTo(form, 'credit_card')}">${text.wallet_close}</a></p>`,
    }
  },
}

/** Draws the icon of a wallet. @param mark its SVG, 24 by 24, from our own tables */
const markPicture = (mark: string): SafeHtml =>
  html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" fill="none"
  stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
${trustHtml(mark)}</svg>`

/** Returns the address of the page with a method or a wallet selected. */
export const linkTo = ({ page, locale, builtIn }: HostedContext, selected: string): string =>
  `${page}?lang=${locale}${builtIn}&payment.selected=${selected}`

/** Fields that are next to another. */
const BESIDE: Readonly<Partial<Record<InputName, InputName>>> = {
  last_name: 'first_name',
  city: 'zip',
}

const renderDetails = (form: PaymentForm): SafeHtml | null =>
  form.settings.payer_details.length === 0
    ? null
    : html`<fieldset>
<legend>${form.text.your_details}</legend>
${[...Map.groupBy(form.settings.payer_details, (name) => BESIDE[name] ?? name).values()].map(
  (names) =>
    html`<div class="pair">${names.map((name) => renderInputField(form, name))}</div>
`,
)}</fieldset>`

/** Describes a plan for the payer: price and interval. */
export function describePlan(
  { name, prices, interval, interval_unit }: PlanRow,
  currency: Currency,
  locale: Locale,
) {
  const words = TEXTS[locale].intervals[interval_unit]
  const price = formatMoney(prices[currency] ?? NOTHING, currency, locale)
  return { name, price, interval: interval === 1 ? words.one : words.many(interval) }
}

/** Renders the plans to choose from; `?plan=7` preselects one (observed: 11.5). */
function planChoice({ text, locale, plans, row, plan: wanted }: PaymentForm): SafeHtml | null {
  if (plans.length === 0) return null
  const chosen = plans.find(({ id }) => String(id) === wanted) ?? plans[0]
  const options = plans.map((plan) => {
    const { name, price, interval } = describePlan(plan, row.currency, locale)
    const label = html`${name} <span>${price} ${interval}</span>
${plan.description && html`<small>${plan.description}</small>`}`
    return renderOption('plan_id', plan.id, plan === chosen, label)
  })
  return renderChoice(text.plans, options)
}

/** Renders the stored cards, and the choice to pay with another card. */
function renderSavedCards({ text, cards, parameters, isCardRemoved }: PaymentForm): SafeHtml {
  const { stored_card } = parameters
  // The selected card: the chosen one, or else the newest.
  const wanted = typeof stored_card === 'string' ? stored_card : String(cards[0]?.id ?? '')
  const chosen = cards.find(({ id }) => String(id) === wanted)
  const removed = html`<p class="callout waiting" id="removed" role="status" tabindex="-1" autofocus>
${text.card_removed}</p>
`
  const options = [
    ...cards.map((card) => renderSavedCard(text, card, card === chosen)),
    renderOption('stored_card', 'none', !chosen, html`${text.another_card}`, ''),
  ]
  return html`${isCardRemoved ? removed : null}${
    cards.length > 0 ? renderChoice(text.saved_cards, options, 'saved-cards') : null
  }`
}

/**
 * Renders a stored card, without its token. It is removed in two steps, with a form that sends no
 * typed values.
 */
function renderSavedCard(
  text: HostedTexts,
  { id, card_type, card_number, card_expiry }: StoredCardRow,
  isChosen: boolean,
): SafeHtml {
  const card = createCardLabel(card_type, card_number)
  const called = html`<span class="unseen"> ${card.name} ${card.last4}</span>`
  const until = `${card_expiry.slice(0, 2)}/${card_expiry.slice(2)}`
  const label = html`${renderCardLabel(card)}
<small>${text.saved_card_until} ${until}</small>`
  return html`${renderOption('stored_card', id, isChosen, label)}
<details class="remove"><summary>${text.remove}${called}</summary>
<button form="remove-card" name="stored_card" value="${id}"
  class="small">${text.remove_card}${called}</button></details>`
}
