import type { Merchant } from '../../../domain/merchant.ts'
import { needMerchant } from '../../../merchants/administer.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderFolded } from '../parts/forms.ts'
import type { ConsoleVisit } from '../visit.ts'
import { renderControlForm, renderPart, renderPress, renderProblemOf } from './part.ts'

const renderRow = (words: string, note: string, field: SafeHtml) =>
  html`<li><label>${words}<small>${note}</small></label>${field}</li>
`
const renderSwitch = (name: string, label: string, value: string | number, isOn: boolean) =>
  html`<input type="checkbox" role="switch" name="${name}" value="${value}" aria-label="${label}"${isOn ? html` checked` : null}>`
const renderNumber = (name: string, label: string, value: number) =>
  html`<input type="number" name="${name}" value="${value}" min="0" max="86400" aria-label="${label}">`

/** Renders how webhooks are sent: held, twice, in another order, late. */
export async function sendingPart(visit: ConsoleVisit, merchant: Merchant): Promise<SafeHtml> {
  const kept = await needMerchant(visit.db, merchant.id)
  const sending = kept.webhook_overrides.delivery ?? kept.settings.webhook_delivery
  const { hold, duplicates, duplicates_after, reorder, delay, hold_orders } = sending
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
${renderRow('Hold until I release them', 'Then they are sent in order', renderSwitch('hold', 'Hold', 'true', hold === true))}
${renderRow('Send each one twice', 'With the same webhook-id', renderSwitch('duplicates', 'Send twice', Math.max(1, duplicates), duplicates > 0))}
${renderRow('Swap the order', 'Every second event comes 10 seconds late', renderSwitch('reorder', 'Swap the order', 'true', reorder))}
${renderRow('Send late', 'Seconds before the first attempt', renderNumber('delay', 'Delay in seconds', delay))}
</ul>
${renderFolded(
  'More',
  html`<ul class="rows">
${renderRow('Time between the two', 'Seconds', renderNumber('duplicates_after', 'Seconds before a duplicate', duplicates_after))}
${renderRow('Hold only these orders', 'payment_ref of each, separated by commas', html`<input name="hold_orders" value="${hold_orders.join(',')}" aria-label="Hold only these orders">`)}
</ul>`,
  { isOpen: duplicates_after > 0 || hold_orders.length > 0 },
)}
<button class="small">Save</button>`,
  '',
)}`,
  )
}
