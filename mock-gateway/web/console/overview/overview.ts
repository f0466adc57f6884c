import type { TransactionStatus } from '../../../contract/wire.ts'
import { newestDeliveryStates, newestPayments, OVERVIEW_ROWS } from '../../../storage/overview.ts'
import { groupErrors } from '../../../storage/requests.ts'
import { isFailed } from '../../../storage/tables/webhook-deliveries.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { type Bar, barChart } from '../parts/bars.ts'
import { countOf } from '../parts/cells.ts'
import { emptyState } from '../parts/empty.ts'
import { newest, rangeOfDays } from '../parts/lists.ts'
import { DECLINES } from '../parts/menu-state.ts'
import { table } from '../parts/table.ts'
import type { ConsolePage, MerchantVisit } from '../visit.ts'
import { type Attention, findAttention } from './attention.ts'

/** Start page of a merchant: warnings, charts of payments and webhooks, and the newest payments. */
export const OVERVIEW_PAGE: ConsolePage<MerchantVisit> = {
  path: '',
  section: '',
  async show(visit) {
    const { home, merchant, root, dependencies } = visit
    const { db } = dependencies.database
    const { now } = exchangeOf(visit.response)
    await dependencies.keptRequests.settle()
    const payments = await newestPayments(db, merchant.id)
    const deliveries = await newestDeliveryStates(db, merchant.id)
    const groups = await groupErrors(db, merchant.id)
    const errors = groups.filter(({ error }) => !DECLINES.some((decline) => decline === error))
    const transactions = await newest(visit, 'transactions')
    const subscriptions = await newest(visit, 'subscriptions')
    const attention = await findAttention(visit, { payments, deliveries, errors })
    const failed = deliveries.filter(isFailed)
    const waiting = deliveries.filter(({ status }) => status === 'pending')
    const refused = errors.reduce((sum, { count }) => sum + count, 0)
    const good = payments.filter(({ status }) => KINDS[status] === 'good').length
    const bad = payments.filter(({ status }) => KINDS[status] === 'bad').length
    const delivered = deliveries.length - failed.length - waiting.length
    return {
      title: merchant.name,
      live: ['transactions', 'requests', 'webhooks', 'data'],
      body: html`<section aria-labelledby="figures">
<h2 id="figures" class="first">Figures <span class="quiet">of the newest ${OVERVIEW_ROWS}</span></h2>
<dl class="figures">
${figure('Payments', payments.length, `${home}/transactions`, null)}
${figure(
  'Succeeded',
  good + bad === 0 ? '–' : `${Math.round((100 * good) / (good + bad))} %`,
  `${home}/transactions?filter[status]=declined`,
  `${bad} declined or failed`,
)}
${figure(
  'Webhooks delivered',
  delivered,
  `${home}/webhooks`,
  `${waiting.length} pending, ${failed.length} failed`,
)}
${figure('Rejected requests', refused, `${home}/errors`, countOf(errors.length, 'kind'))}
</dl></section>
<section aria-labelledby="attention">
<h2 id="attention">Needs attention</h2>
${attentionList(attention)}</section>
${payments.length > 0 ? html`<section>${paymentChart(payments, home, now)}</section>` : null}
<section aria-labelledby="newest">
<h2 id="newest">${transactions.title} <span class="quiet">${transactions.total}</span></h2>
${
  transactions.total > 0
    ? html`${table(transactions)}
${transactions.all && html`<p><a href="${transactions.all}">All ${transactions.total}</a></p>`}`
    : emptyState(
        'No payments yet.',
        html`<a href="${root.replace(/\/console$/, '')}/">Make a first payment</a>,
or see <a href="${home}/settings">an example call</a>.`,
      )
}</section>
${
  subscriptions.total > 0
    ? html`<section aria-labelledby="subscriptions"><h2 id="subscriptions">${subscriptions.title}
<span class="quiet">${subscriptions.total}</span></h2>
${table(subscriptions)}
${subscriptions.all && html`<p><a href="${subscriptions.all}">All ${subscriptions.total}</a></p>`}
</section>`
    : null
}`,
    }
  },
}

const attentionList = (list: readonly Attention[]): SafeHtml =>
  list.length === 0
    ? html`<p class="callout good">Nothing.
All webhooks were delivered, and no request was rejected.</p>`
    : html`<ul class="attention">${list.map(
        ({ tone, text, to }) => html`<li class="${tone}"><a href="${to}">${text}</a></li>`,
      )}</ul>`

const figure = (name: string, value: string | number, to: string, note: string | null): SafeHtml =>
  html`<div><dt>${name}</dt><dd><a href="${to}">${value}</a>
${note && html`<span class="note">${note}</span>`}</dd></div>`

/** Category of each status: paid or reserved, in progress, or failed. */
const KINDS: Readonly<Record<TransactionStatus, keyof Bar['parts']>> = {
  approved: 'good',
  authorized: 'good',
  'capture pending': 'good',
  pending: 'waiting',
  '3ds pending': 'waiting',
  declined: 'bad',
  failed: 'bad',
}

const DAY = 24 * 3_600_000

/** Columns of the chart for old payments; older ones are left out. */
const HALF_A_YEAR = { title: 'Payments per 7 days', step: 7 * DAY, count: 26 } as const

/** Columns of the chart: it has the smallest ones in which all payments have a place. */
const COLUMNS = [
  { title: 'Payments per 5 minutes', step: 5 * 60_000, count: 24 },
  { title: 'Payments per hour', step: 3_600_000, count: 24 },
  { title: 'Payments per day', step: DAY, count: 14 },
  { title: 'Payments per 7 days', step: 7 * DAY, count: 8 },
  HALF_A_YEAR,
] as const

function paymentChart(
  payments: readonly { readonly created_at: number; readonly status: TransactionStatus }[],
  home: string,
  now: number,
): SafeHtml {
  const oldest = Math.min(...payments.map(({ created_at }) => created_at))
  const { title, step, count } =
    COLUMNS.find((each) => oldest > now - (each.count - 1) * each.step) ?? HALF_A_YEAR
  const last = Math.floor(now / step)
  const paymentsOf = Map.groupBy(payments, ({ created_at }) => Math.floor(created_at / step))
  const bars = Array.from({ length: count }, (_, at): Bar => {
    const slot = last - count + 1 + at
    const moment = new Date(slot * step).toISOString()
    const day = moment.slice(0, 10)
    const lastDay = new Date((slot + 1) * step - 1).toISOString().slice(0, 10)
    const parts = { good: 0, waiting: 0, bad: 0 }
    for (const { status } of paymentsOf.get(slot) ?? []) parts[KINDS[status]] += 1
    return {
      name: step < DAY ? `${day} ${moment.slice(11, 16)}` : day,
      to: `${home}/transactions?filter[created_at]=${rangeOfDays(day, lastDay)}`,
      parts,
    }
  })
  return barChart(title, bars, {
    good: 'succeeded',
    waiting: 'in progress',
    bad: 'declined or failed',
  })
}
