import { entryByKey } from '../../../domain/errors/errors.ts'
import { isObject, type JsonValue } from '../../../domain/json.ts'
import { formatAmount, type Hundredths, hundredths } from '../../../domain/money/money.ts'
import { comingCharges } from '../../../domain/subscription/coming-charges.ts'
import { isUnpaid } from '../../../domain/subscription/dunning.ts'
import { readChargeNow } from '../../../operations/outcomes.ts'
import { presentSubscriptions } from '../../../serializers/present.ts'
import { wireTime } from '../../../serializers/time.ts'
import { findRows } from '../../../storage/rows.ts'
import { findFirstPayments, findNewestCharges } from '../../../storage/subscriptions.ts'
import type { SubscriptionRow } from '../../../storage/tables/subscriptions.ts'
import type { TransactionRow } from '../../../storage/tables/transactions.ts'
import { CHARGES_AHEAD, chargeNow } from '../../../subscriptions/charge-now.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { type Report, reportOf, reportView } from '../controls/clock.ts'
import { outcomeSuggestions } from '../controls/results.ts'
import { cell, type Fact, factList, factSummary } from '../parts/cell.ts'
import { type Cell, card, link, money, plain, status, type Tone, time } from '../parts/cells.ts'
import { factsOf } from '../parts/details.ts'
import type { ConsoleProblem } from '../parts/form-errors.ts'
import { buttonForm, tokenField } from '../parts/forms.ts'
import { oneMerchant } from '../parts/owner.ts'
import { emptyState, problemBox, problemLine } from '../parts/problem.ts'
import type { Wire } from '../parts/resources.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  ownRow,
  textsOf,
  viewingOf,
} from '../visit.ts'

/** Page of a subscription's past and future charges. */
export const SUBSCRIPTION_PAGE: ConsolePage<MerchantVisit> = {
  path: '/subscriptions/:id',
  section: 'subscriptions',
  show: async (visit) => subscriptionView(visit, await ownRow(visit, 'subscriptions')),
}

/** Makes a future charge now, with a chosen result: moves the clock to it. */
export const CHARGE_ACT: FormAction<MerchantVisit> = {
  path: '/subscriptions/:id/charge',
  section: 'subscriptions',
  act: async (visit) => charge(visit, await ownRow(visit, 'subscriptions')),
  again: async (visit, problem) =>
    subscriptionView(visit, await ownRow(visit, 'subscriptions'), null, {
      problem,
      ...textsOf(visit.parameters, ['at', 'outcome']),
    }),
}

async function charge(visit: MerchantVisit, row: SubscriptionRow): Promise<ConsoleView> {
  const sent = fieldsOf(visit)
  const report = await chargeNow(visit.dependencies, row, readChargeNow(sent))
  const fields = Object.entries(sent).map(([name, value]) => ({ name, value: String(value) }))
  const shown = reportOf(oneMerchant(visit), report, { to: 'charge', fields })
  return {
    ...(await subscriptionView(visit, await ownRow(visit, 'subscriptions'), shown)),
    now: report.now,
  }
}

/** A rejected result, with the time of its charge, and the error. */
interface RefusedCharge {
  readonly problem: ConsoleProblem | null
  readonly at: string
  readonly outcome: string
}

/** @param report result of a clock move on this page */
async function subscriptionView(
  visit: MerchantVisit,
  row: SubscriptionRow,
  report: Report | null = null,
  refused: RefusedCharge = { problem: null, at: '', outcome: '' },
): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const [object] = await presentSubscriptions({ ...viewingOf(visit), extend: WITH_OWNERS }, [row])
  const at = `${home}/subscriptions/${row.id}`
  const coming = comingOf(row)
  const past = await pastOf(visit, row)
  const token = tokenField(visit)
  const canCharge = dependencies.controlKey !== undefined
  const problem = coming.some(({ at: moment }) => moment === refused.at) ? null : refused.problem
  const [next] = coming
  const soon = coming.slice(0, SHOWN_AHEAD)
  const later = coming.slice(SHOWN_AHEAD)
  const chargeTable = (charges: readonly ComingCharge[]) => html`<table class="compact planned">
<thead><tr>
<th scope="col">When</th>
<th scope="col">Period</th>
<th scope="col">Attempt</th>
<th scope="col" class="quantity">Amount</th>
${canCharge ? html`<th scope="col">Result</th>` : null}
</tr></thead>
<tbody>${charges.map(
    (charge) => html`
<tr>
<td data-head="When" class="number first">${charge.when}</td>
<td data-head="Period">${charge.period}</td>
<td data-head="Attempt">${charge.attempt}</td>
<td data-head="Amount" class="number quantity first-end">${charge.amount}</td>
${canCharge ? html`<td data-head="Result" class="result">${chargeForm(charge, at, token, refused)}</td>` : null}
</tr>`,
  )}
</tbody>
</table>`
  const every =
    row.interval === 1 ? row.interval_unit.slice(0, -1) : `${row.interval} ${row.interval_unit}`
  return {
    live: ['transactions', 'data'],
    title: `Subscription ${row.id}`,
    heading: html`<span class="amount">${money(formatAmount(row.price), row.currency).text}
<span class="quiet">every ${every}</span> ${cell(status(row.status))}
${isUnpaid(row) ? cell(status('unpaid')) : null}</span>`,
    body: html`${report && reportView(report, at, token)}
${factSummary(identityOf(object as unknown as Wire, home))}
<ol class="calendar" aria-label="Calendar of charges">
${past.map(
  ({ at, tone, result }) =>
    html`<li class="${tone}"><b>${dayOf(at)}</b> <span>${result}</span></li>`,
)}${soon.map(({ when, attempt }, index) => {
  const name = index === 0 ? 'next' : 'planned'
  const retry = attempt > 1 ? `, attempt ${attempt}` : null
  return html`<li class="off"><b>${when.slice(0, 10)}</b> <span>${name}${retry}</span></li>`
})}</ol>
<h2>Past charges</h2>
${
  past.length > 0
    ? html`${table({
        heads: PAST_HEADS,
        places: ['second', 'first', null, 'first-end', 'second-end', null],
        rows: past.map(({ cells }) => cells),
      })}
<p><a href="${home}/transactions?filter[subscription_id]=${row.id}">
All transactions of this subscription</a></p>`
    : emptyState('No charges yet.')
}
<h2>Planned charges</h2>
${problemBox(problem)}
${
  next
    ? html`${
        row.attempts > 0
          ? html`<p>${row.attempts === 1 ? 'One attempt' : `${row.attempts} attempts`}
to charge the period of ${next.period} failed.
Attempt ${next.attempt} is on ${next.when} UTC.
If the bank declines this card again, use another one:
<code>PUT /v1/subscriptions/${row.id}</code> with <code>stored_card_id</code>.</p>`
          : null
      }
<p class="quiet">${
        coming.length === CHARGES_AHEAD ? `The next ${CHARGES_AHEAD} charges` : 'All charges'
      }, if each is paid.
A failed charge is retried before the next period (dunning).
${
  canCharge
    ? html`Charge now moves this merchant’s clock to the charge,
and everything due until then happens.
The result that you choose applies to this charge only.
Without a choice, <a href="${home}/controls#next-results">the next results</a> or the card decides.
A cancelled or expired card is always declined.`
    : null
}</p>
${chargeTable(soon)}
${
  later.length > 0
    ? html`<details${later.some((charge) => charge.at === refused.at) ? html` open` : null}>
<summary>Later charges</summary>${chargeTable(later)}</details>`
    : null
}
${canCharge ? outcomeSuggestions() : null}`
    : emptyState('No more charges: the subscription is cancelled, or every period is paid.')
}
<details><summary>All fields</summary>
${factList(factsOf(object as unknown as Wire, home))}</details>
${
  row.status === 'active'
    ? html`<div class="bulk">${buttonForm(visit, `${at}/cancel`, 'Cancel this subscription', 'danger')}</div>`
    : null
}`,
  }
}

const WITH_OWNERS: ReadonlySet<string> = new Set(['plan', 'customer', 'stored_card'])

/** Lists the plan, customer, card and next charge. */
function identityOf({ plan, customer, stored_card, status, next_at }: Wire, home: string): Fact[] {
  const to = (owner: JsonValue | undefined, path: string, shown: (owner: Wire) => string) =>
    isObject(owner)
      ? link(shown(owner as Wire), `${home}/${path}/${(owner as Wire).id}`)
      : plain('none')
  return [
    { name: 'Plan', ...to(plan, 'plans', ({ name, id }) => String(name || id)) },
    { name: 'Customer', ...to(customer, 'customers', ({ ref, id }) => String(ref || id)) },
    {
      name: 'Card',
      ...to(stored_card, 'stored_cards', (owner) => card(owner).text || String(owner.id)),
    },
    { name: 'Next charge', ...(status === 'active' ? time(String(next_at)) : plain('none')) },
  ]
}

/** Builds the form for a future charge with a chosen result. */
function chargeForm(
  charge: ComingCharge,
  at: string,
  token: SafeHtml,
  refused: RefusedCharge,
): SafeHtml | string {
  if (!charge.pays) return 'nothing to charge'
  const isRefused = refused.at === charge.at
  return html`<form class="filters" method="post" action="${at}/charge">${token}
${hiddenFields({ at: charge.at })}
<input name="outcome" list="outcomes" value="${isRefused ? refused.outcome : ''}"
  placeholder="the card decides" aria-label="Result of the charge on ${charge.when}">
<button class="small">Charge now</button></form>
${isRefused && refused.problem ? problemLine(refused.problem) : null}`
}

/** Charges on the page; the list of transactions has the others. */
const PAST_ROWS = 24

/** Future charges that are in view; the others are folded. */
const SHOWN_AHEAD = 3

const PAST_HEADS = ['When', 'Period', 'Attempt', 'Amount', 'Result', 'Error']

const NOTHING = hundredths(0)

/** A charge, or an attempt at one. */
interface PastCharge {
  /** Epoch milliseconds. */
  readonly at: number
  readonly tone: Tone
  readonly result: string
  readonly cells: readonly Cell[]
}

/** Lists past charges in order: the first payment, and each attempt at each period. */
async function pastOf(
  visit: MerchantVisit,
  { id, currency }: SubscriptionRow,
): Promise<PastCharge[]> {
  const { db } = visit.dependencies.database
  const tries = (await findNewestCharges(db, id, PAST_ROWS)).reverse()
  const first = tries.length < PAST_ROWS ? await findFirstPayments(db, id) : []
  const ids = [...first, ...tries.flatMap(({ transaction_id }) => transaction_id ?? [])]
  const transactions = await findRows(db, 'transactions', visit.merchant.id, ids)
  const lineOf = (
    at: number,
    period: string,
    attempt: number | null,
    amount: Hundredths,
    transaction: TransactionRow | undefined,
  ): PastCharge => ({
    at,
    tone: transaction ? (status(transaction.status).tone ?? 'off') : 'off',
    result: transaction?.status ?? 'nothing to charge',
    cells: [
      time(wireTime(at)),
      transaction ? link(period, `${visit.home}/transactions/${transaction.id}`) : plain(period),
      plain(attempt),
      money(formatAmount(amount), currency),
      transaction ? status(transaction.status) : plain('nothing to charge'),
      plain(transaction?.error_name && entryByKey(transaction.error_name).en),
    ],
  })
  return [
    ...first
      .flatMap((payment) => transactions.get(payment) ?? [])
      .map((payment) =>
        lineOf(payment.created_at, 'first payment', null, payment.amount ?? NOTHING, payment),
      ),
    ...tries.map(({ created_at, period_at, attempt, amount, transaction_id }) =>
      lineOf(created_at, dayOf(period_at), attempt, amount, transactions.get(transaction_id ?? 0)),
    ),
  ]
}

type ComingCharge = ReturnType<typeof comingOf>[number]

/** Lists future charges, if each is paid. */
const comingOf = (row: SubscriptionRow) =>
  comingCharges(row, CHARGES_AHEAD).map(({ at, period_at, attempt, amount }) => ({
    at: new Date(at).toISOString(),
    when: time(wireTime(at)).text,
    period: dayOf(period_at),
    attempt,
    amount: money(formatAmount(amount), row.currency).text,
    pays: amount > 0,
  }))

const dayOf = (at: number): string => wireTime(at).slice(0, 10)
