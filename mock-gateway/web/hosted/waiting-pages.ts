import { type ErrorKey, getEntryByKey } from '../../domain/errors/errors.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { getRules } from '../../domain/order/payment-methods.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { getExchange } from '../http/exchange.ts'
import { html, renderHiddenFields, type SafeHtml } from '../pages/html.ts'
import { SELF } from '../pages/policy.ts'
import { renderQrPicture } from '../pages/qr.ts'
import { createChallengeAddress } from './addresses.ts'
import { createMethod } from './choices.ts'
import { leaveForm, renderAmountLine, renderOrderPage, renderTestNote } from './order.ts'
import { type HostedContext, type HostedPage, renderActionForm, renderFormFields } from './page.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Builds the page shown while the bank authenticates the payer: the remaining time, and links to
 * continue or leave. It updates by itself.
 * @param open the pending authentication; undefined if it has just ended
 */
export const renderWaitingPage = (
  visit: PaymentVisit,
  open: AuthenticationRow | undefined,
): HostedPage =>
  renderOrderPage(visit, (context) => {
    const { row, now } = visit
    const { text, order } = context
    const left = Math.max(0, (open?.expires_at ?? now) - now)
    return {
      title: `${text.waiting} – ${order.merchant}`,
      isWaiting: true,
      main: html`<main id="waiting" data-long="${text.waiting_long}"
  data-seconds="${Math.ceil(left / 1000)}">
<h1>${text.waiting}</h1>
${renderAmountLine(context)}
<p>${text.challenge_hint}</p>
<p class="quiet">${text.minutes_left} <span id="minutes">${Math.ceil(left / 60_000)}</span></p>
<p class="quiet" role="status">${text.waiting_hint}</p>
<p><a class="button" href="${createChallengeAddress(visit)}">${text.challenge}</a></p>
${renderActionForm(context, 'back', text.another_card)}
${row.error_url === null ? null : leaveForm(context)}
${renderTestNote(context)}
</main>`,
    }
  })

/**
 * Builds the simulated app or bank, with every possible answer and its error. If the payer answers
 * in another window, the page continues by itself.
 */
export const renderSimulatorPage = (visit: PaymentVisit): HostedPage =>
  renderOrderPage(visit, (context) => {
    const { row, href } = visit
    const { text, order } = context
    const { approval, page } = getRules(row.payment_method)
    const method: { readonly name: string; readonly approval?: string } =
      text.methods[createMethod(row.payment_method)]
    return {
      title: `${method.approval} – ${order.merchant}`,
      isWide: true,
      isWaiting: true,
      main: html`<main id="waiting" data-long="${text.waiting_long}" data-page="${context.page}">
<h1>${method.approval}</h1>
${page?.field && renderScanHint(context, href, row.payment_details?.[page.field])}
<p class="quiet" role="status">${text.waiting_hint}</p>
<form method="post" class="simulator" id="simulator">
<h2>${text.simulator} ${method.name}</h2>
<p class="quiet">${text.simulator_hint}</p>
<p class="head"><span>${order.merchant}</span> <strong>${order.amount}</strong></p>
${renderFormFields(context)}
<ul class="answers">
${Object.entries(approval?.answers ?? {}).map(([answer, refusal]) =>
  answerButton(context, answer, refusal?.error),
)}</ul>
</form>
${renderActionForm(context, 'back', text.other_method)}
${renderTestNote(context)}
</main>`,
    }
  })

function answerButton({ text }: HostedContext, answer: string, error: ErrorKey | undefined) {
  const labels: Readonly<Record<string, string>> = text.answers
  const entry = error && getEntryByKey(error)
  const ends = entry && html`<small>${text.simulator_error} ${entry.code} ${entry.name}</small>`
  return html`<li><button name="answer" value="${answer}"
  class="${answer === 'approved' ? 'button' : 'small'}">${labels[answer]}</button>${ends}</li>
`
}

/** Renders what opens the simulated app: the payer's number, and a QR code of the page. */
const renderScanHint = (
  { text, locale }: HostedContext,
  address: string,
  number: string | undefined,
): SafeHtml => html`<div class="app">
${renderQrPicture(`${address}?lang=${locale}`, text.page_code, 156)}
<div>
${number && html`<p>${text.swish_open_hint} <strong>${writtenNumber(number)}</strong></p>`}
<p class="quiet">${text.swish_scan}</p>
</div>
</div>`

/** Formats a Swedish number as usual: 070-123 45 67; other lengths with the country code. */
function writtenNumber(number: string): string {
  const [, first, ...rest] = /^46(\d\d)(\d{3})(\d\d)(\d\d)$/.exec(number) ?? []
  return first ? `0${first}\u2011${rest.join('\u00a0')}` : `+${number}`
}

/*
 * The next two pages are for old apps, which show the bank at the address of the order form (setting
 * `form_in_place`). Android SDK 1.0 reports an error for every address except the form's, and those
 * with `status=approved` or `status=declined` in them.
 */

/** Builds the page that shows the bank in a frame, so that the app's address stays. */
export const renderBankFramePage = (visit: PaymentVisit): HostedPage => ({
  of: visit,
  policy: { 'frame-src': [SELF] },
  view: ({ text: { challenge } }) => {
    const lang = asLocale(getExchange(visit.response).parameters.lang)
    const address = redirectUrl(createChallengeAddress(visit), { lang })
    return {
      title: `${challenge} – ${visit.merchant.name}`,
      main: html`<iframe class="bank-frame" src="${address}" title="${challenge}"></iframe>`,
    }
  },
})

/** Builds the page that leads the payer out of the bank's frame. */
export const renderAfterBankPage = ({ response, row, merchant }: PaymentVisit): HostedPage => ({
  of: { row, merchant },
  policy: { 'frame-ancestors': [SELF] },
  view: ({ locale, text }) => ({
    title: `${text.waiting} – ${merchant.name}`,
    main: html`<main>
<form method="post" action="${getExchange(response).service.addresses.pay}/v1/form" target="_top" id="after-bank">
${renderHiddenFields({ action: 'after_bank', lang: locale, page_token: row.href_token })}
<button class="button">${text.continue_to} ${merchant.name}</button></form>
</main>`,
  }),
})
