import { type ErrorKey, entryByKey } from '../../domain/errors/errors.ts'
import { rulesOf } from '../../domain/order/payment-methods.ts'
import { shownVersion } from '../../payments/on-page.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { methodOf } from './methods.ts'
import { shownOrder } from './order.ts'
import type { HostedPage } from './page.ts'
import { orderSection } from './views/order.ts'
import {
  actionForm,
  type HostedContext,
  header,
  payerDocument,
  RELOAD,
  tokenField,
  versionField,
} from './views/sheet.ts'
import type { PaymentVisit } from './visit.ts'

/** Formats a Swedish number as usual: 070-123 45 67; other lengths with the country code. */
function writtenNumber(number: string | undefined): string | null {
  if (number === undefined) return null
  const [, first, ...rest] = /^46(\d\d)(\d{3})(\d\d)(\d\d)$/.exec(number) ?? []
  return first ? `0${first}\u2011${rest.join('\u00a0')}` : `+${number}`
}

/**
 * Builds the simulated app or bank, with every possible answer and its error. If the payer answers
 * in another window, the page continues by itself.
 */
export const simulatorPage = ({ row, merchant }: PaymentVisit): HostedPage => ({
  of: { row, merchant },
  view: (context) => {
    const { locale, text } = context
    const order = shownOrder(row, merchant, locale)
    const { asked, page } = rulesOf(row.payment_method)
    const method: { readonly name: string; readonly asked?: string } =
      text.methods[methodOf(row.payment_method)]
    const version = shownVersion(row)
    return payerDocument(context, {
      title: `${method.asked} – ${order.merchant}`,
      head: RELOAD,
      body: html`<div class="sheet">
${header(context, order)}
${orderSection(context, order)}
<main id="waiting" data-long="${text.waiting_long}">
<h1>${method.asked}</h1>
${page?.field && scanHint(context, writtenNumber(row.payment_details?.[page.field]))}
<p class="quiet asked" role="status">${text.waiting_hint}</p>
<form method="post" class="simulator" id="simulator">${tokenField(context)}
<h2>${text.simulator} ${method.name}</h2>
<p class="quiet">${text.simulator_hint}</p>
<p class="asked"><span>${order.merchant}</span> <strong>${order.amount}</strong></p>
${versionField(version)}
<ul>
${Object.entries(asked?.answers ?? {}).map(([answer, refusal]) => answerButton(context, answer, refusal?.error))}</ul>
</form>
${actionForm(context, { action: 'back', version, label: text.other_method })}
</main>
</div>`,
    })
  },
})

function answerButton({ text }: HostedContext, answer: string, error: ErrorKey | undefined) {
  const labels: Readonly<Record<string, string>> = text.answers
  const entry = error && entryByKey(error)
  return html`<li><button name="answer" value="${answer}" class="${answer === 'approved' ? 'answer button' : 'answer'}">${labels[answer]}${entry && html` <span class="quiet small">${text.simulator_error} ${entry.code} ${entry.name}</span>`}</button></li>
`
}

/** Renders what opens the app: the payer's number, and a picture of a code without data. */
const scanHint = (
  { text }: HostedContext,
  number: string | null,
): SafeHtml => html`<div class="app">
<svg class="qr" viewBox="0 0 29 29" width="116" height="116" aria-hidden="true"><path fill="#fff" d="M0 0h29v29H0z"/><path fill="none" stroke="#14201a" d="M4.5 4.5h6v6h-6zM18.5 4.5h6v6h-6zM4.5 18.5h6v6h-6z"/><path fill="#14201a" d="M6 6h3v3H6zM20 6h3v3h-3zM6 20h3v3H6zM13 4h1v2h-1zM15 5h2v2h-2zM12 8h2v2h-2zM15 9h1v3h-1zM4 13h2v1H4zM8 12h3v2H8zM6 15h2v1H6zM13 13h3v1h-3zM17 13h2v3h-2zM21 12h3v1h-3zM20 15h2v1h-2zM23 14h2v3h-2zM13 16h2v3h-2zM16 18h2v2h-2zM19 19h3v1h-3zM23 20h2v2h-2zM13 21h1v4h-1zM15 22h3v1h-3zM20 22h2v3h-2zM16 24h2v1h-2zM23 24h2v1h-2z"/></svg>
<div>
${number && html`<p>${text.swish_open_hint} <strong>${number}</strong></p>`}
<p class="quiet">${text.swish_scan}</p>
</div>
</div>`
