import { getEntryByKey } from '../../../domain/errors/errors.ts'
import { formatAmount, hundredths } from '../../../domain/money/money.ts'
import { type ComingCharge, listComingCharges } from '../../../domain/subscription/dunning.ts'
import { presentReport } from '../../../operations/clock.ts'
import { readChargeNow } from '../../../operations/outcomes.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { findRows } from '../../../storage/rows.ts'
import { findFirstPayments, findNewestCharges } from '../../../storage/subscriptions.ts'
import type { SubscriptionRow } from '../../../storage/tables/subscriptions.ts'
import { CHARGES_AHEAD, chargeNow } from '../../../subscriptions/charge-now.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import { reportView } from '../controls/clock.ts'
import { OUTCOME_CHOICES } from '../controls/results.ts'
import { link, money, status, timeAt } from '../parts/cells.ts'
import { renderDatalist, renderFolded, renderTokenField } from '../parts/forms.ts'
import { renderEmptyState, renderProblemBox, renderProblemLine } from '../parts/problem.ts'
import { showDetail } from '../parts/resource-pages.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  ownRow,
} from '../visit.ts'

/** Page of a subscription's past and future charges. */
export const SUBSCRIPTION_PAGE: ConsolePage<MerchantVisit> = {
  path: '/subscriptions/:id',
  show: (visit) => show(visit),
}

/** Makes a future charge now, with a chosen result: moves the clock to it. */
export const CHARGE_ACT: FormAction<MerchantVisit> = {
  path: '/subscriptions/:id/charge',
  async act(visit) {
    const charge = readChargeNow(visit.fields)
    const row = await ownRow(visit, 'subscriptions')
    const report = await chargeNow(visit.dependencies, row, charge)
    const moved = presentReport(report, { kind: 'set', at: charge.at })
    return { ...(await show(visit, await reportView(visit, moved))), now: report.now }
  },
  again: (visit, problem) => show({ ...visit, refused: { form: 'charge', problem } }),
}

/** @param report result of a clock move on this page */
async function show(visit: MerchantVisit, report: SafeHtml | null = null): Promise<ConsoleView> {
  const row = await ownRow(visit, 'subscriptions')
  const past = await findPastCharges(visit, row)
  const coming = listComingCharges(row, CHARGES_AHEAD)
  return showDetail(
    visit,
    'subscriptions',
    html`${report}
${renderCalendar(past, coming)}
<h2>Past charges</h2>
${
  past.length > 0
    ? html`${renderTable(fill(PAST, past, visit.home))}
<p><a href="${visit.home}/transactions?filter[subscription_id]=${row.id}">
All transactions of this subscription</a></p>`
    : renderEmptyState('No charges yet.')
}
<h2>Planned charges</h2>
${renderPlanned(visit, row, coming)}`,
  )
}

const renderCalendar = (past: readonly PastCharge[], coming: readonly ComingCharge[]): SafeHtml =>
  html`<ol class="progress" aria-label="Calendar of charges">
${past.map(
  ({ at, transaction }) =>
    html`<li class="${transaction ? status(transaction.status).tone : 'off'}"><strong class="is">${formatDay(at)}</strong> <span>${transaction?.status ?? NO_CHARGE}</span></li>`,
)}${coming
  .slice(0, SHOWN_AHEAD)
  .map(
    ({ at, attempt }, index) =>
      html`<li class="off"><strong class="is">${formatDay(at)}</strong> <span>${index === 0 ? 'next' : 'planned'}${attempt > 1 ? `, attempt ${attempt}` : null}</span></li>`,
  )}</ol>`

function renderPlanned(
  visit: MerchantVisit,
  row: SubscriptionRow,
  coming: readonly ComingCharge[],
): SafeHtml {
  const [next] = coming
  if (!next)
    return renderEmptyState(
      'No more charges: the subscription is cancelled, or every period is paid.',
    )
  const canCharge = visit.dependencies.controlKey !== undefined
  const problemOf = findProblems(visit)
  const columns = createPlannedColumns(visit, row)
  const renderCharges = (charges: readonly ComingCharge[]) =>
    html`${renderTable(fill(columns, charges, visit.home))}`
  const later = coming.slice(SHOWN_AHEAD)
  return html`${coming.some(problemOf) ? null : renderProblemBox(visit.refused?.problem ?? null)}
${row.attempts > 0 ? describeDunning(row, next) : null}
<p class="quiet">${
    coming.length === CHARGES_AHEAD ? `The next ${CHARGES_AHEAD} charges` : 'All charges'
  }, if each is paid.
A failed charge is retried before the next period (dunning).</p>
${
  canCharge
    ? renderFolded(
        'What Charge now does',
        html`<p>It moves this merchant’s clock to the charge, and everything due until then happens.
The result that you choose applies to this charge only.
Without a choice, <a href="${visit.home}/controls#next-results">the next results</a> or the card decides.
A cancelled or expired card is always declined.</p>`,
      )
    : null
}
${renderCharges(coming.slice(0, SHOWN_AHEAD))}
${
  later.length > 0
    ? renderFolded('Later charges', renderCharges(later), { isOpen: later.some(problemOf) })
    : null
}
${canCharge ? renderDatalist('outcomes', OUTCOME_CHOICES) : null}`
}

const findProblems =
  ({ refused, parameters }: MerchantVisit) =>
  ({ at }: ComingCharge) =>
    wireIso(at) === text(parameters, 'at') ? refused?.problem : undefined

const describeDunning = ({ id, attempts }: SubscriptionRow, next: ComingCharge): SafeHtml =>
  html`<p>${attempts === 1 ? 'One attempt' : `${attempts} attempts`}
to charge the period of ${formatDay(next.period_at)} failed.
Attempt ${next.attempt} is on ${timeAt(next.at).text} UTC.
If the bank declines this card again, use another one:
<code>PUT /v1/subscriptions/${id}</code> with <code>stored_card_id</code>.</p>`

function createPlannedColumns(
  visit: MerchantVisit,
  { id, currency }: SubscriptionRow,
): readonly Column<ComingCharge>[] {
  const { home, dependencies, parameters } = visit
  const problemOf = findProblems(visit)
  const renderForm = (charge: ComingCharge): SafeHtml => {
    const problem = problemOf(charge)
    return html`<form class="row" method="post" action="${home}/subscriptions/${id}/charge">${renderTokenField(visit)}
${renderHiddenFields({ at: wireIso(charge.at) })}
<input name="outcome" list="outcomes" value="${problem ? text(parameters, 'outcome') : ''}"
  placeholder="the card decides" aria-label="Result of the charge on ${timeAt(charge.at).text}">
<button class="small">Charge now</button></form>
${problem && renderProblemLine(problem)}`
  }
  return [
    ['When', ({ at }) => timeAt(at).text, 'first'],
    ['Period', ({ period_at }) => formatDay(period_at)],
    ['Attempt', ({ attempt }) => attempt],
    ['Amount', ({ amount }) => money(formatAmount(amount), currency), 'first-end'],
    [
      'Result',
      (charge) => {
        if (charge.amount === 0) return NO_CHARGE
        const isOffered = dependencies.controlKey !== undefined
        return isOffered ? { text: 'Charge now', content: renderForm(charge) } : null
      },
      'third',
    ],
  ]
}

/** Charges on the page; the list of transactions has the others. */
const PAST_ROWS = 24

/** Future charges that are in view; the others are folded. */
const SHOWN_AHEAD = 3

const NO_CHARGE = 'nothing to charge'

/** A charge, or an attempt at one. */
type PastCharge = Awaited<ReturnType<typeof findPastCharges>>[number]

const PAST: readonly Column<PastCharge>[] = [
  [
    'Period',
    ({ period, transaction }, home) =>
      transaction ? link(period, `${home}/transactions/${transaction.id}`) : period,
    'first',
  ],
  ['When', ({ at }) => timeAt(at), 'second'],
  ['Attempt', ({ attempt }) => attempt],
  ['Amount', ({ amount, currency }) => money(formatAmount(amount), currency), 'first-end'],
  [
    'Result',
    ({ transaction }) => (transaction ? status(transaction.status) : NO_CHARGE),
    'second-end',
  ],
  [
    'Error',
    ({ transaction }) => transaction?.error_name && getEntryByKey(transaction.error_name).en,
  ],
]

/** Lists past charges in order: the first payment, and each attempt at each period. */
async function findPastCharges({ db, merchant }: MerchantVisit, { id, currency }: SubscriptionRow) {
  const attempts = (await findNewestCharges(db, id, PAST_ROWS)).reverse()
  const first = attempts.length < PAST_ROWS ? await findFirstPayments(db, id) : []
  const ids = [...first, ...attempts.flatMap(({ transaction_id }) => transaction_id ?? [])]
  const transactions = await findRows(db, 'transactions', merchant.id, ids)
  return [
    ...first
      .flatMap((payment) => transactions.get(payment) ?? [])
      .map((transaction) => ({
        ...{ at: transaction.created_at, period: 'first payment', attempt: null },
        ...{ amount: transaction.amount ?? hundredths(0), currency, transaction },
      })),
    ...attempts.map(({ created_at, period_at, attempt, amount, transaction_id }) => ({
      ...{ at: created_at, period: formatDay(period_at), attempt, amount, currency },
      transaction: transactions.get(transaction_id ?? 0),
    })),
  ]
}

const wireIso = (at: number): string => new Date(at).toISOString()
