import { hiddenFields, html, type SafeHtml } from '../pages/html.ts'
import type { PageChoices } from './choices.ts'
import { type PaymentFormData, type RedisplayOptions, readFormData } from './form-data.ts'
import { type OrderView, shownOrder } from './order.ts'
import type { HostedPage } from './page.ts'
import { walletLinks } from './views/choices.ts'
import { payForm } from './views/method-forms.ts'
import { orderSection } from './views/order.ts'
import { type HostedContext, leaveForm, payerDocument, tokenField } from './views/sheet.ts'
import { testHelper } from './views/test-helper.ts'
import type { PaymentVisit } from './visit.ts'

/** Builds the form of the chosen method, with the problems of a submitted form. */
export function paymentForm(
  visit: PaymentVisit,
  choices: PageChoices,
  shown: RedisplayOptions = {},
): HostedPage {
  const { row, merchant } = visit
  return {
    ...(shown.problems?.length ? { http: 422 } : {}),
    of: { row, merchant },
    view: (context) =>
      formView(
        context,
        shownOrder(row, merchant, context.locale),
        readFormData(visit, choices, shown, context.locale),
      ),
  }
}

function formView(context: HostedContext, order: OrderView, form: PaymentFormData): SafeHtml {
  const { text } = context
  const title = `${text.title} ${order.merchant}`
  return payerDocument(context, {
    title: form.problems.length > 0 ? `${text.error_prefix} ${title}` : title,
    body: html`<div class="sheet">
${orderSection(context, order)}
<main>
<h1 class="hidden">${title}</h1>
${problemBox(context, form)}
${timeNote(context, form)}
${form.wallet ? null : walletLinks(context, form)}
${payForm(context, order, form)}
${
  form.cards.length > 0
    ? html`<form id="remove-card" method="post">${tokenField(context)}
${hiddenFields({ action: 'remove_card', version: form.version })}</form>`
    : null
}
${
  form.method === 'credit_card' ? html`<p class="quiet secure">${PADLOCK} ${text.secure}</p>` : null
}
${testHelper(context, order.test, form)}
<details class="follows">
<summary>${text.follows}</summary>
<ul>
${form.follows.map((each) => html`<li>${each}</li>\n`)}</ul>
</details>
${form.can_leave ? leaveForm(context, order, form.version) : null}
</main>
</div>`,
  })
}

const PADLOCK = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
<path fill="none" stroke="currentColor" stroke-width="1.5" d="M4.75 7V5a3.25 3.25 0 0 1 6.5 0v2"/>
<rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor"/></svg>`

/** Renders the problems, first on the page and focused, with a link to each field. */
const problemBox = (
  { text }: HostedContext,
  { problems, error_name, heading_of_form, tries_left }: PaymentFormData,
): SafeHtml => html`<div class="error" id="problems"${
  problems.length > 0
    ? html` role="alert"${error_name && html` data-error="${error_name}"`} autofocus`
    : html` hidden`
} tabindex="-1">
<h2>${heading_of_form ? text.problem_form : text.problem}</h2>
<ul>
${problems.map(problemItem)}</ul>
${tries_left === null ? null : html`<p class="quiet">${text.tries_left} ${tries_left}</p>`}
</div>`

function problemItem({ field, label, text }: PaymentFormData['problems'][number]): SafeHtml {
  if (field === null) return html`<li>${text}</li>\n`
  return html`<li><a href="#${field}">
<span class="named">${label}</span><span class="told">${text}</span></a></li>
`
}

/** Renders the note that our script shows before the page closes. */
const timeNote = (
  context: HostedContext,
  { seconds_left, version }: PaymentFormData,
): SafeHtml | null =>
  seconds_left === null
    ? null
    : html`<div class="note" id="time" role="status" data-seconds="${seconds_left}"
  data-failed="${context.text.extend_failed}" hidden>
<p>${context.text.time_left}</p>
<form method="post">${tokenField(context)}${hiddenFields({ action: 'extend', version })}
<button class="plain">${context.text.extend}</button></form>
</div>`
