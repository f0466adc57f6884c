import { getEntryByKey } from '../../../domain/errors/errors.ts'
import type { ForcedOutcome } from '../../../domain/order/decision.ts'
import type { NextOutcome, Operation } from '../../../storage/next-outcomes.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { formatLabel } from '../parts/filters.ts'
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
    otherwise: 'card decides',
    choices: { times: { 1: 'once', 2: 'twice', 3: '3 times', 10: '10 times' } },
    more: { wallet_type: {}, currency_converter: {} },
  },
  capture: {
    title: 'Captures',
    otherwise: 'setting capture_seconds decides',
    choices: { seconds: { 60: 'after 1 minute', 3600: 'after 1 hour', 86400: 'after 1 day' } },
    more: { seconds: {} },
  },
} as const

/** Renders the bank's forced answers to the next payments and captures, in order. */
export const resultsPart = async (visit: ConsoleVisit, deletesAll: boolean): Promise<SafeHtml> =>
  renderPart(
    visit,
    'Next results',
    {
      'payments.force': { outcome: 'errors.payment.declined', times: 2 },
      'captures.force': { outcome: 'approved', seconds: 3600 },
    },
    html`${await renderQueue(visit, 'payment', deletesAll)}
${await renderQueue(visit, 'capture', deletesAll)}`,
  )

async function renderQueue(
  visit: ConsoleVisit,
  operation: Operation,
  deletesAll: boolean,
): Promise<SafeHtml> {
  const { merchant, dependencies } = visit
  const { title, otherwise, choices, more } = QUEUES[operation]
  // Outcomes without a merchant affect this one too.
  const waiting = (await dependencies.nextOutcomes.waiting(operation)).filter(isFor(merchant))
  const isOwn = ({ merchant_id }: NextOutcome) => deletesAll || merchant_id === merchant?.id
  const [force, unforce] = [`${operation}s.force`, `${operation}s.unforce`] as const
  const renderDelete = (id: number, name: string) => {
    const button = html`${renderHiddenFields({ id })}<button class="plain" aria-label="Delete ${name}">×</button>`
    return renderControlForm(visit, unforce, button, '')
  }
  return html`<h3 class="quiet">${title}</h3>
<ol class="row">${waiting.map((next, index) => {
    const text = outcomeText(next.outcome)
    return html`<li class="chip">${index + 1}.
<span class="is ${next.outcome === 'approved' ? 'good' : 'bad'}">${text}</span> ${formatDetails(next, isOwn(next))}
${isOwn(next) ? renderDelete(next.id, `result ${index + 1}: ${text}`) : null}</li>
`
  })}<li class="quiet">${waiting.length > 0 ? 'then the' : 'The'} ${otherwise}</li>
${waiting.filter(isOwn).length > 1 ? html`<li>${renderPress(visit, unforce, 'Delete all')}</li>` : null}</ol>
${renderControlForm(
  visit,
  force,
  html`${Object.entries({ outcome: OUTCOME_CHOICES, ...choices }).map(
    ([name, texts]) =>
      html`<select name="${name}" aria-label="${formatLabel(name)} of the next ${operation}">${Object.entries(
        texts,
      ).map(([value, text]) => renderOption(value, text, ''))}</select>
`,
  )}<button class="small">Add</button>`,
)}
${renderFoldedForm(visit, 'Another result', {
  name: force,
  path: `/controls/${force}`,
  button: 'Add',
  fields: { outcome, times: {} },
  more,
})}`
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
