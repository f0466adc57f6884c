import { getEntryByKey } from '../../../domain/errors/errors.ts'
import type { ForcedOutcome } from '../../../domain/order/decision.ts'
import type { NextOutcome, Operation } from '../../../storage/next-outcomes.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { renderOption } from '../parts/forms.ts'
import { isFor } from '../parts/menu.ts'
import { renderFoldedForm } from '../parts/operation-form.ts'
import type { ConsoleVisit } from '../visit.ts'
import { renderControlForm, renderPart, renderPress } from './part.ts'

/** Common outcomes of shops' tests; every other error of the catalogue can be typed. */
const OUTCOMES: readonly ForcedOutcome[] = [
  'errors.payment.declined',
  'errors.card.expired',
  'errors.card.do_not_honour',
  'errors.bankprovider.insufficient_funds',
  'errors.payment.failed',
  'errors.payment.amount_low',
  'errors.stored_card.not_active',
  'errors.service_not_available',
  'approved',
]

/** Names an outcome for people: `Card has expired (130)`. */
function outcomeText(outcome: ForcedOutcome): string {
  if (outcome === 'approved') return 'Approved, whatever the card'
  const { en, code } = getEntryByKey(outcome)
  return `${en} (${code})`
}

export const OUTCOME_CHOICES: Readonly<Record<string, string>> = Object.fromEntries(
  OUTCOMES.map((outcome) => [outcome, outcomeText(outcome)]),
)

const outcome = { suggestions: OUTCOME_CHOICES }

const QUEUES = {
  payment: {
    title: 'Payments',
    otherwise: 'the card decides',
    seconds: null,
    more: { wallet_type: {}, currency_converter: {} },
  },
  capture: {
    title: 'Captures',
    otherwise: 'they are approved, after the seconds of the setting capture_seconds',
    seconds: '3600',
    more: { seconds: {} },
  },
} as const

/** Renders the bank's forced answers to the next payments and captures, in order. */
export const resultsPart = async (visit: ConsoleVisit): Promise<SafeHtml> =>
  renderPart(
    visit,
    'Next results',
    {
      'payments.force': { outcome: 'errors.payment.declined', times: 2 },
      'captures.force': { outcome: 'approved', seconds: 3600 },
    },
    html`${await renderQueue(visit, 'payment')}
${await renderQueue(visit, 'capture')}
<p class="hint">The bank gives these answers in order, also to charges of subscriptions.
A request that is rejected before the bank is asked uses none.</p>`,
  )

async function renderQueue(visit: ConsoleVisit, operation: Operation): Promise<SafeHtml> {
  const { merchant, dependencies } = visit
  const { title, otherwise, seconds, more } = QUEUES[operation]
  // Outcomes without a merchant affect this one too; only the administrator deletes them.
  const waiting = (await dependencies.nextOutcomes.waiting(operation)).filter(isFor(merchant))
  const isOwn = ({ merchant_id }: NextOutcome) => !merchant || merchant_id === merchant.id
  const [force, unforce] = [`${operation}s.force`, `${operation}s.unforce`] as const
  const renderDelete = (id: number, name: string) => {
    const button = html`${renderHiddenFields({ id })}<button aria-label="Delete ${name}">×</button>`
    return renderControlForm(visit, unforce, button)
  }
  return html`<h3>${title}</h3>
<div class="queue">${waiting.map((next, index) => {
    const text = outcomeText(next.outcome)
    return html`<span class="chip">${index + 1}.
<span class="is ${next.outcome === 'approved' ? 'good' : 'bad'}">${text}</span> ${formatDetails(next, isOwn(next))}
${isOwn(next) ? renderDelete(next.id, `result ${index + 1}: ${text}`) : null}</span>`
  })}
<span class="quiet">${waiting.length > 0 ? 'then ' : null}${otherwise}</span>
${waiting.filter(isOwn).length > 1 ? renderPress(visit, unforce, 'Delete all') : null}</div>
${renderControlForm(
  visit,
  force,
  html`<select name="outcome" aria-label="Result of the next ${operation}">${Object.entries(
    OUTCOME_CHOICES,
  ).map(([value, text]) => renderOption(value, text, ''))}</select>
${
  seconds &&
  html`<input name="seconds" value="${seconds}" size="6" inputmode="numeric" aria-label="Seconds until the bank answers">`
}
<input name="times" value="1" size="4" inputmode="numeric" aria-label="Number of ${operation}s">
<button class="small">Add</button>`,
)}
${renderFoldedForm(
  visit,
  'Another result',
  { name: force, path: `/controls/${force}`, button: 'Add', fields: { outcome, times: {} }, more },
  { style: '' },
)}`
}

function formatDetails(next: NextOutcome, isOwn: boolean): string {
  const { operation, times, seconds, wallet_type, currency_converter } = next
  const parts = [
    times > 1 ? `${times} times` : '',
    operation === 'capture' ? `after ${seconds} s` : '',
    wallet_type ?? '',
    currency_converter ? JSON.stringify(currency_converter) : '',
    isOwn ? '' : 'set for all merchants',
  ].filter((each) => each !== '')
  return parts.join(', ')
}
