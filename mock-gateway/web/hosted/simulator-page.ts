import type { Addresses } from '../../domain/addresses.ts'
import { type ErrorKey, entryByKey } from '../../domain/errors/errors.ts'
import { rulesOf } from '../../domain/order/payment-methods.ts'
import { shownVersion } from '../../payments/on-page.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import { hiddenFields, html, type SafeHtml } from '../pages/html.ts'
import { qrPicture } from '../pages/qr.ts'
import { methodOf } from './methods.ts'
import { shownOrder } from './order.ts'
import type { HostedPage } from './page.ts'
import { orderSection } from './views/order.ts'
import { actionForm, type HostedContext, payerDocument, RELOAD, tokenField } from './views/sheet.ts'
import type { PaymentVisit } from './visit.ts'

/** Formats a Swedish number as usual: 070-123 45 67; other lengths with the country code. */
function writtenNumber(number: string): string {
  const [, first, ...rest] = /^46(\d\d)(\d{3})(\d\d)(\d\d)$/.exec(number) ?? []
  return first ? `0${first}\u2011${rest.join('\u00a0')}` : `+${number}`
}

/**
 * Builds the simulated app or bank, with every possible answer and its error. If the payer answers
 * in another window, the page continues by itself.
 */
export const simulatorPage = (
  { row, merchant }: PaymentVisit,
  addresses: Addresses,
): HostedPage => ({
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
${orderSection(context, order)}
<main id="waiting" data-long="${text.waiting_long}" data-page="${context.page}">
<h1>${method.asked}</h1>
${page?.field && scanHint(context, hrefOf(row, addresses), row.payment_details?.[page.field])}
<p class="quiet asked" role="status">${text.waiting_hint}</p>
<form method="post" class="simulator" id="simulator">${tokenField(context)}
<h2>${text.simulator} ${method.name}</h2>
<p class="quiet">${text.simulator_hint}</p>
<p class="asked"><span>${order.merchant}</span> <strong>${order.amount}</strong></p>
${hiddenFields({ version })}
<ul>
${Object.entries(asked?.answers ?? {}).map(([answer, refusal]) =>
  answerButton(context, answer, refusal?.error),
)}</ul>
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
  const style = answer === 'approved' ? 'answer button' : 'answer'
  const ends =
    entry &&
    html` <span class="quiet small">${text.simulator_error} ${entry.code} ${entry.name}</span>`
  return html`<li>
<button name="answer" value="${answer}" class="${style}">${labels[answer]}${ends}</button></li>
`
}

/** Renders what opens the simulated app: the payer's number, and a QR code of the page. */
const scanHint = (
  { text, locale }: HostedContext,
  address: string,
  number: string | undefined,
): SafeHtml => html`<div class="app">
${qrPicture(`${address}?lang=${locale}`, text.page_code, 156)}
<div>
${number && html`<p>${text.swish_open_hint} <strong>${writtenNumber(number)}</strong></p>`}
<p class="quiet">${text.swish_scan}</p>
</div>
</div>`
