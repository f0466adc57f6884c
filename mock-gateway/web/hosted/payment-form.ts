import type { MerchantSettings } from '../../domain/merchant.ts'
import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { hiddenFields, html, type SafeHtml } from '../pages/html.ts'
import type { PageChoices } from './choices.ts'
import { type PaymentForm, readPaymentForm, type SentForm } from './form.ts'
import { payForm, walletLinks } from './method-forms.ts'
import { leaveForm, type OrderView, orderPage, orderSection } from './order.ts'
import { type HostedContext, type HostedPage, payerDocument, tokenField } from './page.ts'
import { testHelper } from './test-helper.ts'
import type { HostedTexts } from './texts/sv.ts'
import type { PaymentVisit } from './visit.ts'

/** Builds the form of the chosen method, with the problems of a submitted form. */
export const paymentForm = (
  visit: PaymentVisit,
  choices: PageChoices,
  sent: SentForm = {},
): HostedPage =>
  orderPage(
    visit,
    (context, order) =>
      formView(context, order, readPaymentForm(visit, choices, sent, context.locale)),
    sent.problems?.length ? { http: 422 } : {},
  )

function formView(context: HostedContext, order: OrderView, form: PaymentForm): SafeHtml {
  const { text } = context
  const { row, version, cards, problems, method, settings } = form
  const title = `${text.title} ${order.merchant}`
  const removal = html`<form id="remove-card" method="post">${tokenField(context)}
${hiddenFields({ action: 'remove_card', version })}</form>`
  return payerDocument(context, {
    title: problems.length > 0 ? `${text.error_prefix} ${title}` : title,
    body: html`<div class="sheet">
${orderSection(context, order)}
<main>
<h1 class="unseen">${title}</h1>
${problemBox(context, form)}
${timeNote(context, form)}
${walletLinks(context, form)}
${payForm(context, order, form)}
${cards.length > 0 ? removal : null}
${method === 'credit_card' ? html`<p class="quiet secure">${PADLOCK} ${text.secure}</p>` : null}
${testHelper(context, form)}
<details class="follows">
<summary>${text.follows}</summary>
<ul>
${listSharedData(text, method, settings).map((each) => html`<li>${each}</li>\n`)}</ul>
</details>
${row.error_url === null ? null : leaveForm(context, order, version)}
</main>
</div>`,
  })
}

const PADLOCK = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
<path fill="none" stroke="currentColor" stroke-width="1.5" d="M4.75 7V5a3.25 3.25 0 0 1 6.5 0v2"/>
<rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor"/></svg>`

/** Number of remaining attempts from which the page shows it. */
const FEW_TRIES = 3

/** Renders the problems, first on the page and focused, with a link to each field. */
function problemBox({ text }: HostedContext, { problems, row, settings }: PaymentForm): SafeHtml {
  const triesLeft = settings.page_tries - row.tries
  const isFew = row.tries > 0 && triesLeft <= FEW_TRIES
  const isOfForm = problems.some(({ field }) => field !== null)
  return html`<div class="callout bad" id="problems"${
    problems[0] ? html` role="alert" data-error="${problems[0].error}" autofocus` : html` hidden`
  } tabindex="-1">
<h2>${isOfForm ? text.problem_form : text.problem}</h2>
<ul>
${problems.map(problemItem)}</ul>
${isFew ? html`<p class="quiet">${text.tries_left} ${triesLeft}</p>` : null}
</div>`
}

const problemItem = ({ field, label, text }: PaymentForm['problems'][number]): SafeHtml =>
  field === null
    ? html`<li>${text}</li>\n`
    : html`<li><a href="#${field}">
<span class="named">${label}</span><span class="told">${text}</span></a></li>
`

/** Renders the note that our script shows before the page closes. */
function timeNote(
  context: HostedContext,
  { row: { expires_at }, now, version }: PaymentForm,
): SafeHtml | null {
  if (expires_at === null) return null
  const { text } = context
  // Computed by the gateway's clock, which may have been moved.
  const seconds = Math.max(0, Math.ceil((expires_at - now) / 1000))
  return html`<div class="callout waiting" id="time" role="status" data-seconds="${seconds}"
  data-failed="${text.extend_failed}" hidden>
<p>${text.time_left}</p>
<form method="post">${tokenField(context)}${hiddenFields({ action: 'extend', version })}
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
