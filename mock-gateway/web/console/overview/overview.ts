import type { TransactionStatus } from '../../../contract/wire.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import {
  countNewestDeliveries,
  countNewestPayments,
  type DeliveryCounts,
  type PaymentCount,
} from '../../../storage/overview.ts'
import { groupErrors } from '../../../storage/requests.ts'
import { findSums } from '../../../storage/sums.ts'
import { getExchange } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import { type Bar, renderBarChart } from '../parts/bars.ts'
import { presentAmount, renderChoice } from '../parts/cells.ts'
import { rangeOfDays } from '../parts/filters.ts'
import { DECLINES } from '../parts/menu.ts'
import { newest, renderTestPaymentButton } from '../parts/resource-lists.ts'
import { getDay, removeDay, renderTable } from '../parts/table.ts'
import type { ConsolePage, MerchantVisit } from '../visit.ts'
import { renderAttention } from './attention.ts'

/** Start page of a merchant: causes, figures of a period, and the newest payments. */
export const OVERVIEW_PAGE: ConsolePage<MerchantVisit> = {
  path: '',
  async show(visit) {
    const { home, merchant, root, dependencies, db } = visit
    await dependencies.keptRequests.settle()
    const { days } =
      PERIODS.find(({ days }) => String(days) === text(visit.parameters, 'days')) ?? PERIODS[1]
    const { now } = getExchange(visit.response)
    const from = (Math.floor(now / DAY) - days + 1) * DAY
    const today = formatDay(now)
    const payments = await countNewestPayments(db, merchant.id, stepOf(days))
    const deliveries = await countNewestDeliveries(db, merchant.id, from)
    const groups = await groupErrors(db, merchant.id)
    const errors = groups.filter(({ error }) => !DECLINES.some((decline) => decline === error))
    const transactions = await newest(visit, 'transactions', undefined, SHOWN)
    return {
      title: 'Overview',
      live: ['transactions', 'requests', 'webhooks', 'data'],
      actions: html`${renderChoice(
        'Period',
        PERIODS.map((period) => [period.words, `${home}?days=${period.days}`]),
        `${home}?days=${days}`,
      )}
${renderTestPaymentButton(root)}`,
      body: html`<section aria-labelledby="attention">
<h2 id="attention">Needs attention</h2>
${await renderAttention(visit, { payments, errors })}</section>
${payments.length > 0 ? await renderFigures(visit, days, payments, deliveries) : null}
<section aria-labelledby="newest">
<h2 id="newest">Newest payments${
        transactions.total > 0
          ? html` <a class="key" href="${home}/transactions">All ${transactions.total}</a>`
          : null
      }</h2>
${
  transactions.total > 0
    ? renderTable({
        ...transactions,
        rows: transactions.rows.map((row) => (getDay(row) === today ? row.map(removeDay) : row)),
      })
    : html`<p class="quiet">No payments yet. <a href="${root.replace(/\/console$/, '')}/">Make a first payment</a>,
or run <code>mondido-gateway do --help</code>.</p>`
}</section>`,
    }
  },
}

const PERIODS = [
  { days: 1, words: 'Today' },
  { days: 8, words: '8 days' },
  { days: 30, words: '30 days' },
] as const

/** Newest payments on the page. */
const SHOWN = 6

/** Statuses that are paid or reserved, and failed. The others are in progress. */
const KINDS: Readonly<Record<'good' | 'bad', readonly TransactionStatus[]>> = {
  good: ['approved', 'authorized', 'capture pending'],
  bad: ['declined', 'failed'],
}

const DAY = 24 * 3_600_000

/** Milliseconds of one bar: an hour of one day, or a day. */
const stepOf = (days: number) => (days === 1 ? DAY / 24 : DAY)

async function renderFigures(
  { merchant, db, home, response }: MerchantVisit,
  days: number,
  payments: readonly PaymentCount[],
  { delivered, attempted }: DeliveryCounts,
): Promise<SafeHtml> {
  const { now } = getExchange(response)
  const today = Math.floor(now / DAY)
  const from = (today - days + 1) * DAY
  const currency = merchant.settings.account_currency
  const period = { from, to: (today + 1) * DAY }
  const sums = await findSums(db, merchant.id, currency, period)
  const formatSum = (sum: number) => presentAmount((sum / 100).toFixed(2)).replace(/\.\d\d$/, '')
  const isWithin = ({ period }: PaymentCount) => period * stepOf(days) >= from
  const { good, bad } = countKinds(payments.filter(isWithin))
  const figure = (label: string, value: string, note: string) =>
    html`<div><dt>${label}</dt><dd class="amount">${value} <span class="quiet">${note}</span></dd></div>
`
  const share = (label: string, part: number, whole: number) =>
    figure(
      label,
      whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`,
      `${part} of ${whole}`,
    )
  return html`<section aria-labelledby="sums">
<h2 id="sums">Payments${days === 1 ? ' today' : `, the last ${days} days`}
<span class="quiet key"><span class="is">approved</span> <span class="is bad">declined</span></span></h2>
<div class="columns"><dl class="summary">
${figure('Captured', formatSum(sums.captured), currency.toUpperCase())}
${share('Approved', good, good + bad)}
${figure('Refunded', formatSum(sums.refunded), currency.toUpperCase())}
${share('Webhooks delivered', delivered, attempted)}
</dl>
${renderBarChart(createBars(payments, home, { from, now, days }))}</div></section>`
}

/** Creates a column for each day, or for each hour of one day. */
function createBars(
  payments: readonly PaymentCount[],
  home: string,
  { from, now, days }: { readonly from: number; readonly now: number; readonly days: number },
): readonly Bar[] {
  const step = stepOf(days)
  return Array.from({ length: days === 1 ? 24 : days }, (_, at) => {
    const start = from + at * step
    const [day = '', hour = ''] = new Date(start).toISOString().split(/T|:/)
    const isNow = now >= start && now < start + step
    return {
      name: days === 1 ? `${hour}:00` : formatDay(day),
      label: days === 1 ? hour : isNow ? 'Today' : String(Number(day.slice(8))),
      to: `${home}/transactions?filter[created_at]=${rangeOfDays(day, day)}`,
      ...countKinds(payments.filter(({ period }) => period * step === start)),
      isNow,
    }
  })
}

/** Counts payments that are paid or reserved, and payments that failed. */
function countKinds(payments: readonly PaymentCount[]) {
  const sum = (kind: keyof typeof KINDS) =>
    payments
      .filter(({ status }) => KINDS[kind].includes(status))
      .reduce((total, { count }) => total + count, 0)
  return { good: sum('good'), bad: sum('bad') }
}
