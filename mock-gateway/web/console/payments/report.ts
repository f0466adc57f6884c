import { DEFAULT_FEES } from '../../../domain/money/cost.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { type DaySum, findSumsByDay } from '../../../storage/sums.ts'
import { getExchange } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import {
  type Cell,
  formatCount,
  presentAmount,
  quantity,
  renderFacts,
  toCell,
} from '../parts/cells.ts'
import { createFile } from '../parts/list.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import type { ConsolePage, ConsoleView, MerchantVisit } from '../visit.ts'

/** Pages of captured and refunded money and fees, as the merchant's bookkeeper needs them. */
export const SUMS_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/sums', show },
  {
    path: '/sums.csv',
    async show(visit) {
      const { month, days } = await daysIn(visit)
      return createFile(`sums-${month}`, [DAY, CURRENCY, ...SUMS], days, visit.home)
    },
  },
]

/** Numbers of one line: a day, or all days of a currency. */
type Sums = Omit<DaySum, 'day'>

const DAY: Column<DaySum> = [
  'Day',
  ({ day }) => {
    const at = day * 86_400_000
    return { text: formatDay(at), number: true, wire: new Date(at).toISOString().slice(0, 10) }
  },
]
const CURRENCY: Column<Sums> = ['Currency', ({ currency }) => currency.toUpperCase()]

/** The columns of a file; a page rounds the fees, so that its lines add up to their sum. */
const SUMS: readonly Column<Sums>[] = [
  ['Payments', ({ payments }) => quantity(payments)],
  ['Captured', ({ captured }) => money(captured * 10)],
  ['Refunds', ({ refunds }) => quantity(refunds)],
  ['Refunded', ({ refunded }) => money(refunded * 10)],
  ['Fees', ({ fees }) => money(fees)],
]
const PAYOUT: Column<Sums> = ['To be paid out', (sums) => money(calculateNet(sums))]

/** Shows thousandths with two decimals; a file has the third one, which only fees need. */
const money = (thousandths: number): Cell => ({
  ...quantity(presentAmount((thousandths / 1_000).toFixed(2))),
  wire: exactText(thousandths),
})

const exactText = (thousandths: number): string =>
  (thousandths / 1_000).toFixed(thousandths % 10 === 0 ? 2 : 3)

/** Returns thousandths. */
const calculateNet = ({ captured, refunded, fees }: Sums): number =>
  (captured - refunded) * 10 - fees

async function show(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, merchant } = visit
  const { percentual, exchange, fixed } = DEFAULT_FEES
  const { month, days } = await daysIn(visit)
  const at = (other: string) => `${home}/sums?month=${other}`
  const [previous, next] = [monthAfter(month, -1), monthAfter(month, 1)]
  const rounded = days.map((day) => ({ ...day, fees: Math.round(day.fees / 10) * 10 }))
  return {
    title: 'Sums',
    actions:
      days.length > 0
        ? html`<a class="button small" href="${home}/sums.csv?month=${month}">Export</a>`
        : null,
    live: ['transactions', 'data'],
    body: html`<div class="row head"><form class="row" method="get">
<input type="month" name="month" value="${month}" aria-label="Month"
  pattern="[0-9]{4}-[0-9]{2}" required>
<button class="small">Show</button></form>
<nav class="row" aria-label="Months"><a class="button small" href="${at(previous)}" rel="prev">${nameMonth(previous)}</a>
<a class="button small" href="${at(next)}" rel="next">${nameMonth(next)}</a></nav></div>
${
  days.length === 0
    ? renderEmptyState(
        `No money moved in ${month}.`,
        html`Payments count when they are captured:
see <a href="${home}/transactions?filter[status]=authorized">payments to capture</a>.`,
      )
    : renderSums([...Map.groupBy(rounded, ({ currency }) => currency).values()])
}
<p class="quiet">Money that was captured and refunded, by day (UTC).
Test payments are included. Each refund counts on its own day, and its payment keeps its fee:
${percentual / 10} % and ${exactText(fixed)} per payment, and ${exchange / 10} % more
in another currency than ${merchant.settings.account_currency.toUpperCase()}.</p>`,
  }
}

function renderSums(byCurrency: readonly (readonly DaySum[])[]): SafeHtml {
  const wholes = byCurrency.flatMap((days) => addUp(days) ?? [])
  const [whole, ...others] = wholes
  const [days = []] = byCurrency
  if (!whole || others.length > 0)
    return html`${renderLedger([CURRENCY, ...SUMS, PAYOUT], wholes)}
<h2>Days</h2>
${byCurrency.map(
  (some) => html`<details><summary>${some[0]?.currency.toUpperCase()}</summary>
${renderLedger([DAY, ...SUMS, PAYOUT], some)}</details>`,
)}`
  const isOneDay = days.length === 1
  return html`<p class="amount">${money(calculateNet(whole)).text} ${whole.currency.toUpperCase()}
<span class="quiet">to be paid out${isOneDay ? ` for ${toCell(DAY[1](whole, '')).text}` : null}</span></p>
${renderFacts(
  {
    Captured: { ...money(whole.captured * 10), note: formatCount(whole.payments, 'payment') },
    Refunded: { ...money(whole.refunded * 10), note: formatCount(whole.refunds, 'refund') },
    Fees: money(whole.fees),
  },
  'summary',
)}
${isOneDay ? null : renderLedger([DAY, ...SUMS, PAYOUT], days)}`
}

const renderLedger = <Line>(columns: readonly Column<Line>[], lines: readonly Line[]): SafeHtml => {
  const { heads, rows } = fill(columns, lines, '')
  return html`<div class="ledger">${renderTable({ heads, rows })}</div>`
}

const SUMMED = ['payments', 'captured', 'refunds', 'refunded', 'fees'] as const

const addUp = (days: readonly DaySum[]): DaySum | undefined =>
  days[0] && {
    ...days[0],
    ...Object.fromEntries(
      SUMMED.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)]),
    ),
  }

/** Reads the sums of the month in the address; of the current one without a valid month. */
async function daysIn({ merchant, parameters, response, db }: MerchantVisit) {
  const now = getExchange(response).getNow(merchant.id)
  const month = monthIn(text(parameters, 'month')) ?? formatMonth(now)
  const { percentual, exchange, fixed } = DEFAULT_FEES
  const account = merchant.settings.account_currency
  const days = await findSumsByDay(db, {
    merchantId: merchant.id,
    from: Date.parse(`${month}-01`),
    to: Date.parse(`${monthAfter(month, 1)}-01`),
    fees: { account, rate: percentual, foreignRate: percentual + exchange, fixed },
  })
  return { month, days }
}

/** Years that dates and the databases can store: 1000 to 9998. */
const monthIn = (typed: string | undefined): string | undefined =>
  typed !== undefined && /^(?!9999)[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(typed) ? typed : undefined

/** Names a month of the API: `Nov 2026`. */
const nameMonth = (month: string): string => formatDay(month).replace(/^\d+ /, '')

/** @param at epoch milliseconds */
const formatMonth = (at: number): string => new Date(at).toISOString().slice(0, 7)

function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return formatMonth(Date.UTC(year, number - 1 + count))
}
