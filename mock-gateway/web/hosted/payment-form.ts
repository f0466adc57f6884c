import { BRANDS } from '../../domain/card/card-types.ts'
import type { MerchantSettings } from '../../domain/merchant.ts'
import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { WALLETS } from '../../domain/order/wallets.ts'
import { renderBrandMark } from '../pages/brand-marks.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { listOfferedWallets, loadChoices } from './choices.ts'
import { type PaymentForm, readPaymentForm, type SentForm } from './form.ts'
import { linkTo, METHOD_FORMS } from './method-forms.ts'
import { leaveForm, renderOrderPage } from './order.ts'
import { type HostedPage, renderFormFields } from './page.ts'
import { testHelper } from './test-helper.ts'
import type { HostedTexts } from './texts/sv.ts'
import type { PaymentVisit } from './visit.ts'

/** Builds the form of the chosen method, with the problems of a submitted form. */
export async function paymentForm(visit: PaymentVisit, sent: SentForm = {}): Promise<HostedPage> {
  const choices = sent.choices ?? (await loadChoices(visit))
  return renderOrderPage(visit, (context) =>
    formView(readPaymentForm(context, visit, choices, sent)),
  )
}

function formView(form: PaymentForm) {
  const { text, order, row, cards, problems, method, settings } = form
  const title = `${text.title} ${order.merchant}`
  const removal = html`<form id="remove-card" method="post">
${renderFormFields(form, { action: 'remove_card' })}</form>`
  return {
    title: problems.length > 0 ? `${text.error_prefix} ${title}` : title,
    isWide: true as const,
    main: html`<main>
<h1 class="unseen">${title}</h1>
${renderProblemBox(form)}
${timeNote(form)}
${renderWalletLinks(form)}
${payForm(form)}
${cards.length > 0 ? removal : null}
${method === 'credit_card' ? html`<p class="quiet">${PADLOCK} ${text.secure}</p>` : null}
${testHelper(form)}
<details class="follows quiet">
<summary>${text.follows}</summary>
<ul>
${listSharedData(text, method, settings).map((each) => html`<li>${each}</li>\n`)}</ul>
</details>
${row.error_url === null ? null : leaveForm(form)}
</main>`,
  }
}

const PADLOCK = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
<path fill="none" stroke="currentColor" stroke-width="1.5" d="M4.75 7V5a3.25 3.25 0 0 1 6.5 0v2"/>
<rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor"/></svg>`

/** Renders the methods in one list, with the form of the chosen one below its name. */
function payForm(form: PaymentForm): SafeHtml {
  const { address, method, kind } = form
  const { id, attributes, hidden, heading, fields, button, below } = METHOD_FORMS[kind](form)
  return html`<form id="${id}" class="${heading ? 'pay wallet' : 'pay'}" method="post"
  action="${address}"${attributes}
  data-texts="${scriptTexts(form)}">
${heading}
${renderFormFields(form, { payment_method: method, ...hidden })}
${heading ? fields : renderMethodList(form, fields)}
<button type="submit" class="button">${button}</button>
${below}
</form>`
}

const scriptTexts = ({ text: { error_prefix, problem_form, paying, errors } }: PaymentForm) =>
  JSON.stringify({ ...errors, error_prefix, problem_form, paying })

/**
 * Renders the methods as one list. Its links work without scripts. A method that is the only one has
 * no list.
 */
function renderMethodList(form: PaymentForm, fields: SafeHtml): SafeHtml {
  const { text, methods, method } = form
  const marks = method === 'credit_card' ? renderCardMarks(form) : null
  if (methods.length < 2)
    return html`${marks}
${fields}`
  return html`<ul class="methods" aria-label="${text.choose_method}">
${methods.map((name) => {
  const isChosen = name === method
  return html`<li><div class="way">
<a href="${linkTo(form, name)}"${isChosen ? html` aria-current="true"` : null}>
${text.methods[name].name}</a>${isChosen ? marks : null}</div>
${isChosen ? html`<div class="fields">${fields}</div>` : null}</li>
`
})}</ul>`
}

/** Number of logos that are always visible. Another one appears while its card is typed. */
const SHOWN_MARKS = 4

/** Renders the logos of the cards that a merchant accepts, with the texts for screen readers. */
const renderCardMarks = ({
  text: { cards_taken, card_cvv_hint, card_seen, card_code },
  settings,
}: PaymentForm): SafeHtml => {
  const accepted = Object.entries(BRANDS).filter(([, { types }]) =>
    types.some((type) => settings.card_types.includes(type)),
  )
  const others = accepted.slice(SHOWN_MARKS).map(([, { name }]) => name)
  return html`<ul class="marks" aria-label="${cards_taken}" data-code="${card_cvv_hint}">
${accepted.map(
  ([brand, { name, types }]) => html`<li data-types="${types.join(' ')}"
  data-said="${/^[AEIOU]/.test(name) ? card_seen.an : card_seen.a} ${name}"
  data-code="${brand === 'amex' ? card_code.four : card_code.three}">${renderBrandMark(brand, name)}</li>
`,
)}${
  others.length > 0
    ? html`<li class="quiet" aria-hidden="true" title="${others.join(', ')}">+${others.length}</li>`
    : null
}</ul>`
}

/** Renders the links to the wallets, which are first because they are the quickest to pay with. */
function renderWalletLinks(form: PaymentForm): SafeHtml | null {
  const { text, methods, wallet } = form
  const wallets = methods.includes('credit_card') ? listOfferedWallets(form) : []
  if (wallet || wallets.length === 0) return null
  return html`<ul class="wallets" aria-label="${text.wallets}">
${wallets.map(
  (type) => html`<li>
<a class="button" href="${linkTo(form, type)}">${WALLETS[type].name}</a></li>
`,
)}</ul>
<p class="or quiet">${text.wallets_or}</p>`
}

/** Number of remaining attempts from which the page shows it. */
const FEW_TRIES = 3

/** Renders the problems, first on the page and focused, with a link to each field. */
function renderProblemBox({ text, problems, row, settings }: PaymentForm): SafeHtml {
  const triesLeft = settings.page_tries - row.tries
  const isFew = row.tries > 0 && triesLeft <= FEW_TRIES
  const isOfForm = problems.some(({ field }) => field !== null)
  return html`<div class="callout bad" id="problems"${
    problems[0] ? html` role="alert" data-error="${problems[0].error}" autofocus` : html` hidden`
  } tabindex="-1">
<h2>${isOfForm ? text.problem_form : text.problem}</h2>
<ul class="problems">
${problems.map(({ field, label, text: told }) =>
  field === null
    ? html`<li>${told}</li>\n`
    : html`<li><a href="#${field}">
<span class="named">${label}</span><span class="told">${told}</span></a></li>
`,
)}</ul>
${isFew ? html`<p class="quiet">${text.tries_left} ${triesLeft}</p>` : null}
</div>`
}

/** Renders the note that our script shows before the page closes. */
function timeNote(form: PaymentForm): SafeHtml | null {
  const { text, row, now } = form
  if (row.expires_at === null) return null
  // Computed by the gateway's clock, which may have been moved.
  const seconds = Math.max(0, Math.ceil((row.expires_at - now) / 1000))
  return html`<div class="callout waiting" id="time" role="status" data-seconds="${seconds}"
  data-failed="${text.extend_failed}" hidden>
<p>${text.time_left}</p>
<form method="post">${renderFormFields(form, { action: 'extend' })}
<button class="plain">${text.extend}</button></form>
</div>`
}

/**
 * Lists the data that the shop receives about a payer, as sentences, before the payment. It matches
 * `presentTransaction`: data of the method, of the page's fields, and of the browser.
 */
export function listSharedData(
  text: HostedTexts,
  method: PageMethod,
  { payer_details }: Pick<MerchantSettings, 'payer_details'>,
): readonly string[] {
  // An invoice always requires these.
  const fields = method === 'invoice' ? (['email', 'phone'] as const) : payer_details
  const labels = fields.map((field) => text[field])
  return [
    text.methods[method].follows,
    ...(labels.length > 0 ? [`${text.follows_typed} ${labels.join(', ')}`] : []),
    text.follows_browser,
  ]
}
