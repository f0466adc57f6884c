import type { Merchant } from '../../../domain/merchant.ts'
import { needMerchant } from '../../../merchants/administer.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderFolded } from '../parts/forms.ts'
import type { ConsoleVisit } from '../visit.ts'
import { renderControlForm, renderPart, renderPress, renderProblemOf } from './part.ts'

/** Renders how webhooks are sent: held, twice, in another order, late. */
export async function sendingPart(visit: ConsoleVisit, merchant: Merchant): Promise<SafeHtml> {
  const kept = await needMerchant(visit.db, merchant.id)
  const sending = kept.webhook_overrides.delivery ?? kept.settings.webhook_delivery
  const { hold, duplicates, duplicates_after, reorder, delay, hold_orders } = sending
  const row = (words: string, note: string, field: SafeHtml) =>
    html`<li><label>${words}<small>${note}</small></label>${field}</li>
`
  const tick = (name: string, label: string, value: string | number, isOn: boolean) =>
    html`<input type="checkbox" role="switch" name="${name}" value="${value}" aria-label="${label}"${isOn ? html` checked` : null}>`
  const number = (name: string, label: string, value: number) =>
    html`<input type="number" name="${name}" value="${value}" min="0" max="86400" aria-label="${label}">`
  return renderPart(
    visit,
    'Webhooks',
    { 'webhooks.setSending': { duplicates: 1 }, 'webhooks.hold': null, 'webhooks.release': null },
    html`${
      hold || hold_orders.length > 0
        ? html`<div class="callout waiting"><p>Webhooks are held${
            hold_orders.length > 0 ? ` for ${hold_orders.join(', ')}` : null
          }. <a href="${visit.home}/webhooks?status=pending">See them</a></p>
${renderPress(visit, 'webhooks.release', 'Release all')}</div>`
        : null
    }
${renderProblemOf(visit, 'webhooks.setSending')}
${renderControlForm(
  visit,
  'webhooks.setSending',
  html`
<ul class="rows">
${row('Hold until I release them', 'Then they are sent in order', tick('hold', 'Hold', 'true', hold === true))}
${row('Send each one twice', 'With the same webhook-id', tick('duplicates', 'Send twice', Math.max(1, duplicates), duplicates > 0))}
${row('Swap the order', 'Every second event comes 10 seconds late', tick('reorder', 'Swap the order', 'true', reorder))}
${row('Send late', 'Seconds before the first attempt', number('delay', 'Delay in seconds', delay))}
</ul>
${renderFolded(
  'More',
  html`<ul class="rows">
${row('Time between the two', 'Seconds', number('duplicates_after', 'Seconds before a duplicate', duplicates_after))}
${row('Hold only these orders', 'payment_ref of each, separated by commas', html`<input name="hold_orders" value="${hold_orders.join(',')}" aria-label="Hold only these orders">`)}
</ul>`,
  { isOpen: duplicates_after > 0 || hold_orders.length > 0 },
)}
<button class="small">Save</button>`,
  '',
)}`,
  )
}
