import { entryByKey } from '../../../domain/errors/errors.ts'
import type { ForcedOutcome } from '../../../domain/order/decision.ts'
import { operationNamed } from '../../../operations/table.ts'
import type { NextOutcome, Operation } from '../../../storage/next-outcomes.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { asCommand, commandOf } from '../parts/command.ts'
import { filledIn } from '../parts/form-errors.ts'
import { buttonForm, datalist, formView, option, tokenField } from '../parts/forms.ts'
import { formOf } from '../parts/operation-form.ts'
import { type ConsoleVisit, textsOf } from '../visit.ts'
import { type Part, part } from './part.ts'

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
  const { en, code } = entryByKey(outcome)
  return `${en} (${code})`
}

/** Renders the suggestions of a field. */
export const outcomeSuggestions = (): SafeHtml =>
  datalist(
    'outcomes',
    OUTCOMES.map((outcome) => [outcome, outcomeText(outcome)]),
  )

const SHOWN = {
  payment: {
    title: 'Payments',
    otherwise: 'the card decides',
    seconds: null,
  },
  capture: {
    title: 'Captures',
    otherwise: 'they are approved, after the seconds of the setting capture_seconds',
    seconds: '3600',
  },
} as const

/** Renders the bank's forced answers to the next payments and captures, in order. */
export async function resultsPart(visit: ConsoleVisit, shown: Part): Promise<SafeHtml> {
  const { merchantId } = shown.owner
  const declined = { outcome: 'errors.payment.declined', times: '2' }
  return part(
    'Next results',
    asCommand(
      commandOf('payments.force', declined, merchantId),
      commandOf('captures.force', { outcome: 'approved', seconds: '3600' }, merchantId),
    ),
    html`${await queueOf(visit, shown, 'payment')}
${await queueOf(visit, shown, 'capture')}
<p class="hint">The bank gives these answers in order, also to charges of subscriptions.
A request that is rejected before the bank is asked uses none.</p>
${outcomeSuggestions()}`,
  )
}

async function queueOf(
  visit: ConsoleVisit,
  { owner, at, refused }: Part,
  operation: Operation,
): Promise<SafeHtml> {
  const { title, otherwise, seconds } = SHOWN[operation]
  const { merchantId } = owner
  // Outcomes without a merchant affect this one too; only the administrator deletes them.
  const waiting = (await visit.dependencies.nextOutcomes.waiting(operation)).filter(
    (next) =>
      merchantId === undefined || next.merchant_id === null || next.merchant_id === merchantId,
  )
  const isOwn = (next: NextOutcome) => merchantId === undefined || next.merchant_id === merchantId
  const name = `${operation}s.force`
  const fields = formOf(operationNamed(name), { outcome: { list: 'outcomes' } })
  const problem = refused?.operation === name ? refused.problem : null
  const written = textsOf(problem ? visit.parameters : {}, Object.keys(fields))
  return html`<h3>${title}</h3>
<div class="queue">${waiting.map(
    (next, index) => html`<span class="chip">${index + 1}.
<span class="is ${next.outcome === 'approved' ? 'good' : 'bad'}">${outcomeText(next.outcome)}</span>${detailsOf(next, isOwn(next))}</span>`,
  )}
<span class="quiet">${waiting.length > 0 ? 'then ' : null}${otherwise}</span>
${waiting.some(isOwn) ? buttonForm(visit, `${at}/${operation}s.unforce`, 'Delete all') : null}</div>
<form class="inline" method="post" action="${at}/${name}">${tokenField(visit)}
<select name="outcome" aria-label="Result of the next ${operation}">${OUTCOMES.map((outcome) =>
    option(outcome, outcomeText(outcome), ''),
  )}</select>
${
  seconds &&
  html`<input name="seconds" value="${seconds}" size="6" inputmode="numeric" aria-label="Seconds until the bank answers">`
}
<input name="times" value="1" size="4" inputmode="numeric" aria-label="Number of ${operation}s">
<button class="small">Add</button></form>
<details${problem ? html` open` : null}><summary>Another result</summary>
${formView({ formToken: visit.formToken, to: `${at}/${name}`, ...filledIn(fields, written, problem), button: 'Add' })}
</details>`
}

/** Describes what an outcome has besides its result. */
function detailsOf(next: NextOutcome, isOwn: boolean): string {
  const { operation, times, seconds, wallet_type, currency_converter } = next
  const parts = [
    times > 1 ? `${times} times` : '',
    operation === 'capture' ? `after ${seconds} s` : '',
    wallet_type ?? '',
    currency_converter ? JSON.stringify(currency_converter) : '',
    isOwn ? '' : 'set for all merchants',
  ].filter((each) => each !== '')
  return parts.length > 0 ? `, ${parts.join(', ')}` : ''
}
