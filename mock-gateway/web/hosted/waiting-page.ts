import type { Addresses } from '../../domain/addresses.ts'
import { shownVersion } from '../../payments/on-page.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { html } from '../pages/html.ts'
import { challengeAddress } from './authentication.ts'
import { shownOrder } from './order.ts'
import type { HostedPage } from './page.ts'
import { actionForm, amountLine, header, leaveForm, payerDocument, RELOAD } from './views/sheet.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Builds the page shown while the bank authenticates the payer: the remaining time, and links to
 * continue or leave. It updates by itself.
 * @param asked the pending authentication; undefined if it has just ended
 */
export const waitingPage = (
  { row, merchant, now }: PaymentVisit,
  asked: AuthenticationRow | undefined,
  addresses: Addresses,
): HostedPage => ({
  of: { row, merchant },
  view: (context) => {
    const { locale, text } = context
    const order = shownOrder(row, merchant, locale)
    const left = Math.max(0, (asked?.expires_at ?? now) - now)
    const version = shownVersion(row)
    return payerDocument(context, {
      title: `${text.waiting} – ${order.merchant}`,
      head: RELOAD,
      body: html`<div class="sheet narrow">
${header(context, order)}
<main id="waiting" data-long="${text.waiting_long}" data-seconds="${Math.ceil(left / 1000)}">
<h1>${text.waiting}</h1>
${amountLine(order)}
<p>${text.challenge_hint}</p>
<p class="quiet">${text.minutes_left} <span id="minutes">${Math.ceil(left / 60_000)}</span></p>
<p class="quiet" role="status">${text.waiting_hint}</p>
<p><a class="button" href="${challengeAddress(row, addresses)}">${text.challenge}</a></p>
${actionForm(context, { action: 'back', version, label: text.another_card })}
${row.error_url === null ? null : leaveForm(context, order, version)}
</main>
</div>`,
    })
  },
})
