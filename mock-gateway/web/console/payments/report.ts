import { DEFAULT_FEES } from '../../../domain/money/cost.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { type DaySum, sumsByDay } from '../../../storage/sums.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { amountText, countOf, plain, quantity } from '../parts/cells.ts'
import { csv } from '../parts/csv.ts'
import { emptyState } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import type { ConsoleFile, ConsolePage, ConsoleView, MerchantVisit } from '../visit.ts'

const section = 'sums'

/** Pages of captured and refunded money and fees, as the merchant's bookkeeper needs them. */
export const SUMS_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/sums', section, show },
  { path: '/sums.csv', section, show: showFile },
]

/** Numbers of one line: a day, or all days. */
type Sums = Omit<DaySum, 'day' | 'currency'>

async function show(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, merchant } = visit
  const { percentual, exchange, fixed } = DEFAULT_FEES
  const { month, days } = await daysIn(visit)
  const currencies = [...new Set(days.map(({ currency }) => currency))]
  const at = (other: string) => `${home}/sums?month=${other}`
  const [previous, next] = [monthAfter(month, -1), monthAfter(month, 1)]
  return {
    title: 'Sums',
    live: ['transactions', 'data'],
    body: html`<p class="quiet">Money that was captured and refunded, by day (UTC).
Test payments are included. Each refund counts on its own day, and its payment keeps its fee:
${shareText(percentual)} and ${exactText(fixed)} per payment, and ${shareText(exchange)} more
in another currency than ${merchant.settings.account_currency.toUpperCase()}.</p>
<form class="filters" method="get">
<label>Month <input type="month" name="month" value="${month}"
  pattern="[0-9]{4}-[0-9]{2}" required></label>
<button>Show</button></form>
<nav class="pages" aria-label="Months"><a href="${at(previous)}" rel="prev">${previous}</a>
<a href="${at(next)}" rel="next">${next}</a>
${days.length > 0 ? html`<a href="${home}/sums.csv?month=${month}">Download</a>` : null}</nav>
${
  days.length === 0
    ? emptyState(
        `No money moved in ${month}.`,
        html`Payments count when they are captured:
see <a href="${home}/transactions?filter[status]=authorized">payments to capture</a>.`,
      )
    : currencies.length === 1
      ? currencyView(days)
      : currenciesView(days)
}`,
  }
}

/** Renders the sums of one currency: its payout and the parts of it, then each of several days. */
function currencyView(exactDays: readonly DaySum[]): SafeHtml {
  const days = exactDays.map(withRoundedFees)
  const whole = addUp(days)
  const [only, ...others] = days
  const name = only?.currency.toUpperCase()
  const parts = {
    Captured: [roundedText(whole.captured * 10), countOf(whole.payments, 'payment')],
    Refunded: [roundedText(whole.refunded * 10), countOf(whole.refunds, 'refund')],
    Fees: [roundedText(whole.fees), null],
  } as const
  return html`<p class="amount">${roundedText(netOf(whole))} ${name}
<span class="quiet">to be paid out${only && others.length === 0 ? ` for ${dayText(only)}` : null}</span></p>
<dl class="summary">
${Object.entries(parts).map(
  ([label, [value, note]]) => html`<div><dt>${label}</dt><dd><span class="number">${value}</span>
${note && html`<span class="note">${note}</span>`}</dd></div>`,
)}</dl>
${
  others.length > 0
    ? ledger(
        'Day',
        days.map((day) => [dayText(day), day]),
      )
    : null
}`
}

/** Renders a line for each currency, then the folded days of each. */
function currenciesView(exactDays: readonly DaySum[]): SafeHtml {
  const byCurrency = [
    ...Map.groupBy(exactDays.map(withRoundedFees), ({ currency }) => currency.toUpperCase()),
  ]
  return html`${ledger(
    'Currency',
    byCurrency.map(([name, days]) => [name, addUp(days)]),
  )}
<h2>Days</h2>
${byCurrency.map(
  ([name, days]) => html`<details><summary>${name}</summary>
${ledger(
  'Day',
  days.map((day) => [dayText(day), day]),
)}</details>`,
)}`
}

/** Renders a line of sums for each name. */
const ledger = (head: string, lines: readonly (readonly [string, Sums])[]): SafeHtml =>
  html`<div class="ledger">${table({
    heads: [head, 'Payments', 'Captured', 'Refunds', 'Refunded', 'Fees', 'To be paid out'],
    rows: lines.map(([name, sums]) => [
      { ...plain(name), number: true },
      ...[
        String(sums.payments),
        roundedText(sums.captured * 10),
        String(sums.refunds),
        roundedText(sums.refunded * 10),
        roundedText(sums.fees),
        roundedText(netOf(sums)),
      ].map(quantity),
    ]),
  })}</div>`

/** Fees in whole hundredths of the currency, so that the lines add up to their sum. */
const withRoundedFees = (day: DaySum): DaySum => ({ ...day, fees: Math.round(day.fees / 10) * 10 })

/** Formats thousandths as per cent. */
const shareText = (thousandths: number): string => `${thousandths / 10} %`

/** Formats thousandths with two decimals. */
const roundedText = (thousandths: number): string => amountText((thousandths / 1_000).toFixed(2))

/** Returns thousandths. */
const netOf = ({ captured, refunded, fees }: Sums): number => (captured - refunded) * 10 - fees

async function showFile(visit: MerchantVisit): Promise<ConsoleFile> {
  const { month, days } = await daysIn(visit)
  const heads = ['Day', 'Currency', 'Payments', 'Captured', 'Refunds', 'Refunded', 'Fees']
  return {
    name: `sums-${month}.csv`,
    type: 'text/csv; charset=utf-8',
    content: csv([
      heads,
      ...days.map((day) => [
        dayText(day),
        day.currency.toUpperCase(),
        String(day.payments),
        exactText(day.captured * 10),
        String(day.refunds),
        exactText(day.refunded * 10),
        exactText(day.fees),
      ]),
    ]),
  }
}

/** Reads the sums of the month in the address; of the current one without a valid month. */
async function daysIn({ merchant, parameters, response }: MerchantVisit) {
  const { nowOf, service } = exchangeOf(response)
  const month = monthIn(text(parameters, 'month')) ?? monthOf(nowOf(merchant.id))
  const { percentual, exchange, fixed } = DEFAULT_FEES
  const days = await sumsByDay(service.database.db, {
    merchantId: merchant.id,
    from: startOf(month),
    to: startOf(monthAfter(month, 1)),
    fees: {
      account: merchant.settings.account_currency,
      rate: percentual,
      foreignRate: percentual + exchange,
      fixed,
    },
  })
  return { month, days }
}

/** Years that dates and the databases can store: 1000 to 9998. */
const monthIn = (typed: string | undefined): string | undefined =>
  typed !== undefined && /^(?!9999)[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(typed) ? typed : undefined

/** @param at epoch milliseconds */
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

const startOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return monthOf(Date.UTC(year, number - 1 + count))
}

const dayText = ({ day }: DaySum): string =>
  new Date(day * 24 * 60 * 60_000).toISOString().slice(0, 10)

const addUp = (days: readonly Sums[]): Sums =>
  days.reduce(
    (whole, day) => ({
      payments: whole.payments + day.payments,
      captured: whole.captured + day.captured,
      refunds: whole.refunds + day.refunds,
      refunded: whole.refunded + day.refunded,
      fees: whole.fees + day.fees,
    }),
    { payments: 0, captured: 0, refunds: 0, refunded: 0, fees: 0 },
  )

/** Formats thousandths. Only fees need three decimals. */
const exactText = (thousandths: number): string =>
  (thousandths / 1_000).toFixed(thousandths % 10 === 0 ? 2 : 3)
