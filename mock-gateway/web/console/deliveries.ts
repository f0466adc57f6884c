import { DELIVERY_STATUSES, readDeliveryFilter } from '../../parsing/control/webhooks.ts'
import { type Parameters, pick, text, yesOrNo } from '../../parsing/parameters/parameters.ts'
import { wireTime } from '../../serializers/time.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type {
  DeliveryStatus,
  FullDelivery,
  WebhookDeliveryRow,
} from '../../storage/tables/webhook-deliveries.ts'
import { attemptsOf, lastAttempts } from '../../storage/webhook-attempts.ts'
import { type DeliveryFilter, findDeliveries } from '../../storage/webhook-deliveries.ts'
import {
  removeDelivery,
  requireDelivery,
  requireFullDelivery,
  retryNow,
  sendAgain,
} from '../../webhooks/administer.ts'
import { formatReadable } from '../../webhooks/body.ts'
import { DRAWN_BELOW, RETRIES, retryDelay } from '../../webhooks/schedule.ts'
import { isTest } from '../../webhooks/send-test.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import {
  ATTEMPT_HEADS,
  attemptRow,
  type CheckView,
  checksOf,
  compared,
  exchangeOfAttempt,
  lastAnswer,
} from './attempts.ts'
import { bounded } from './bounded.ts'
import { type Cell, link, longText, plain, status, time } from './cells.ts'
import { cell } from './design/cell.ts'
import { codeBlock } from './design/code.ts'
import { emptyState } from './design/empty.ts'
import { factList } from './design/facts.ts'
import { hiddenFields, tokenField } from './design/forms.ts'
import { chipList, filterForm, pager } from './design/list.ts'
import { type Table, table } from './design/table.ts'
import { labelOf } from './lists.ts'
import { ofNewest, paged } from './paging.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  idOf,
  type MerchantVisit,
  noPage,
  noRow,
} from './visit.ts'

/** Pages of sent and pending webhooks. */
export const DELIVERY_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/webhooks', section: 'webhooks', show: list },
  { path: '/webhooks/:id', section: 'webhooks', show: detail },
  { path: '/webhooks/:id/compare', section: 'webhooks', show: compare },
]

export const DELIVERY_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/webhooks/send',
    section: 'webhooks',
    async act(visit) {
      const { sent, filter, address } = chosen(visit)
      if (!yesOrNo(pick(visit.parameters, ['sure']), 'sure'))
        return askFirst(visit, sent, filter, address)
      return {
        to: address,
        done: 'all_sent_again',
        count: await sendAgain(visit.dependencies.webhooks, filter),
      }
    },
  },
  {
    path: '/webhooks/:id/send',
    async act(visit) {
      const filter = ownOf(visit)
      const { id } = await requireDelivery(visit.dependencies.webhooks, filter)
      const count = await sendAgain(visit.dependencies.webhooks, filter)
      return { to: `/webhooks/${id}`, done: count > 0 ? 'sent_again' : 'sent_already' }
    },
  },
  {
    path: '/webhooks/:id/retry',
    async act(visit) {
      await retryNow(visit.dependencies.webhooks, ownOf(visit))
      return { to: `/webhooks/${visit.named.id}`, done: 'retried' }
    },
  },
  {
    path: '/webhooks/:id/remove',
    async act(visit) {
      await removeDelivery(visit.dependencies.webhooks, ownOf(visit))
      return { to: '/webhooks', done: 'removed' }
    },
  },
]

/** Maximum number of deliveries for one press, see `sendAgain`. */
const SENT_AT_ONCE = 1_000

const TARGETS_SHOWN = 5

/** Selects the delivery in the address, if it belongs to the merchant. */
function ownOf(visit: MerchantVisit): DeliveryFilter {
  const id = idOf(visit)
  if (id === undefined) throw noRow('delivery', visit.named.id ?? '')
  return { merchantId: visit.merchant.id, id }
}

/** Filters of deliveries, with their values if there are few. */
const FILTERS = { status: DELIVERY_STATUSES, trigger: [], transaction_id: [] } as const

/** Returns the selected deliveries, always the merchant's own, and the address of their list. */
function chosen({ merchant, parameters }: MerchantVisit) {
  const sent = filtersIn(parameters)
  const { filter } = readDeliveryFilter({ ...sent, merchant_id: String(merchant.id) })
  const query = String(new URLSearchParams(sent))
  return { sent, filter, address: `/webhooks${query && `?${query}`}` }
}

/** Shows their number before any is sent. */
async function askFirst(
  visit: MerchantVisit,
  sent: Readonly<Record<string, string>>,
  filter: DeliveryFilter,
  address: string,
): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const found = await findDeliveries(dependencies.database.db, filter, {
    limit: SENT_AT_ONCE,
    offset: 0,
  })
  const targets = [...new Set(found.map(targetOf))].slice(0, TARGETS_SHOWN)
  return {
    title: 'Send again?',
    body: html`<p>${found.length} ${found.length === 1 ? 'delivery' : 'deliveries'} will be sent again, outside the retry schedule and with the same <code>webhook-id</code>, to:</p>
<ul>${targets.map((target) => html`<li>${target}</li>`)}</ul>
<form method="post" action="${home}/webhooks/send">${tokenField(visit)}${hiddenFields(sent)}<input type="hidden" name="sure" value="true"><button>Send ${found.length} again</button></form>
<p><a href="${home}${address}">Cancel</a></p>`,
  }
}

const filtersIn = (parameters: Parameters): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(FILTERS).flatMap((name) => {
      const value = text(parameters, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Statuses with their own filter. */
const CHIPS = [
  ['dead', 'failed permanently'],
  ['failed', 'failed'],
  ['pending', 'pending'],
] as const

async function list(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const { sent, filter, address } = chosen(visit)
  const clear = Object.keys(sent).length > 0 ? `${home}/webhooks` : null
  const { rows, ...around } = await paged(visit, home + address, (page) =>
    findDeliveries(dependencies.database.db, filter, page),
  )
  return {
    title: 'Deliveries',
    live: ofNewest(around, ['webhooks', 'transactions', 'data']),
    body: html`<p><a class="button" href="${home}/webhooks/test">Send a test webhook</a></p>
${filterForm(
  Object.entries(FILTERS).map(([name, choices]) => ({
    name,
    label: labelOf(name),
    value: sent[name] ?? '',
    hint: '',
    choices,
  })),
  clear,
)}
${chipList(
  CHIPS.map(([status, text]) => ({
    text,
    to: sent.status === status ? `${home}/webhooks` : `${home}/webhooks?status=${status}`,
    isSet: sent.status === status,
  })),
)}
${rows.length > 0 ? table(await deliveryTable(visit, rows)) : emptyState('No deliveries found.', clear ? html`<a href="${clear}">Show all</a>` : html`Add a <a href="${home}/webhook_templates">webhook template</a>, or <a href="${home}/webhooks/test">send a test webhook</a>.`)}
${pager(around)}
${
  rows.length > 0
    ? html`<form class="bulk" method="post" action="${home}/webhooks/send">${tokenField(visit)}${hiddenFields(sent)}<button class="small">Send all of this ${clear ? 'search' : 'list'} again</button> <span class="hint">At most the newest ${SENT_AT_ONCE}, except deliveries that are being sent.</span></form>`
    : null
}`,
  }
}

export async function deliveryTable(
  { home, dependencies }: Pick<MerchantVisit, 'home' | 'dependencies'>,
  rows: readonly WebhookDeliveryRow[],
): Promise<Table> {
  const attempts = await lastAttempts(
    dependencies.database.db,
    rows.map(({ id }) => id),
  )
  const lastOf = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]))
  return {
    heads: ['Id', 'Created', 'Trigger', 'Target', 'Status', 'Attempts', 'Answer', 'Next attempt'],
    places: [null, 'second', 'first', null, 'first-end', null, 'second-end', null],
    rows: rows.map((row) => [
      plain(row.id),
      moment(row.created_at),
      link(row.trigger, `${home}/webhooks/${row.id}`),
      longText(targetOf(row)),
      status(row.status),
      { ...plain(row.calls), number: true },
      lastAnswer(lastOf.get(row.id)),
      moment(row.due_at),
    ]),
  }
}

/** Deliveries on the page of their transaction. */
const OF_TRANSACTION = 50

/** Lists the deliveries of a transaction, the newest last, with a link to all. */
export async function deliveriesOf(visit: MerchantVisit, transactionId: number) {
  const { home, merchant, dependencies } = visit
  const filter = { merchantId: merchant.id, transactionId }
  const rows = await findDeliveries(dependencies.database.db, filter, {
    limit: OF_TRANSACTION,
    offset: 0,
  })
  return {
    ...(await deliveryTable(visit, rows.toReversed())),
    all: `${home}/webhooks?transaction_id=${transactionId}`,
  }
}

/** @param at epoch milliseconds; null for no time */
const moment = (at: number | null): Cell => (at === null ? plain('') : time(wireTime(at)))

/** Returns a webhook's destination; a receipt without an address goes to the payer. */
export const targetOf = ({
  url,
  http_method,
  email,
}: Pick<WebhookDeliveryRow, 'url' | 'http_method' | 'email'>): string =>
  url === null ? (email ?? 'the payer') : `${http_method?.toUpperCase()} ${url}`

/** Attempts on a page; of more the last are shown. */
const ATTEMPTS = 50

async function detail(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const row = await requireFullDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await attemptsOf(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const checked = attempts.findLast(({ request_headers }) => request_headers !== null)
  const isWaiting = row.status === 'pending' && row.again_from === null
  const at = `${home}/webhooks/${row.id}`
  const act = (name: string, isPossible: boolean, button: SafeHtml) =>
    isPossible
      ? html`<form method="post" action="${at}/${name}">${tokenField(visit)}${button}</form>`
      : null
  const checks = checked ? checksOf(row, checked, visit.merchant) : []
  const sent = asSent(row, attempts)
  return {
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    body: html`<p>${cell(status(row.status))} ${planOf(row)}</p>
<div class="acts">
${act('send', row.again_from === null, html`<button>Send again</button><span class="hint">An additional attempt, outside the retry schedule, with the same webhook-id.</span>`)}
${act('retry', isWaiting, html`<button class="small">Retry now</button><span class="hint">Makes the next attempt of the schedule now.</span>`)}
${act('remove', row.status !== 'pending', html`<button class="small">Delete</button>`)}
</div>
${retryLine(row, attempts)}
${factList(factsOf(row, home))}
<h2>Attempts</h2>
${attempts.length > 0 ? table({ heads: ATTEMPT_HEADS, rows: attempts.map(attemptRow) }) : emptyState('No attempts yet.')}
${attempts.length > 1 ? html`<p><a href="${at}/compare">Compare two attempts</a></p>` : null}
${attempts.map(exchangeOfAttempt).map(
  ({ number, sent, headers, body }) =>
    html`${
      sent &&
      html`<details><summary>Headers of attempt ${number}</summary>${codeBlock(sent)}</details>
`
    }${
      headers || body
        ? html`<details><summary>Answer to attempt ${number}</summary>${headers && codeBlock(headers)}${body && codeBlock(body)}</details>
`
        : null
    }`,
)}
${
  checks.length > 0
    ? html`<h2>Verify this webhook</h2>
<p class="quiet">How your shop verifies attempt ${checked?.number}. One check is enough. The signature covers the whole body.</p>
${checks.map(checkView)}`
    : null
}
<h2>Body</h2>
<p class="quiet">The data at the time of the event. Every attempt sends the same body.</p>
${codeBlock(bounded(formatReadable(row.body)))}
${sent && html`<details><summary>Body as sent</summary>${codeBlock(sent)}</details>`}`,
  }
}

/** Number of future retries on the timeline. */
const RETRIES_AHEAD = 4

/** Draws a timeline of a delivery's attempts and, while it is pending, of its retries. */
function retryLine(
  row: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
): SafeHtml | null {
  const made = attempts.slice(-RETRIES_AHEAD * 2).map((attempt) => ({
    tone: attempt.outcome === 'delivered' ? 'good' : 'bad',
    what: `Attempt ${attempt.number}`,
    at: attempt.created_at,
    note: String(attempt.response.code ?? 'no answer'),
  }))
  const coming: { tone: string; what: string; at: number; note: string }[] = []
  let at = row.due_at
  for (
    let retry = row.attempts;
    row.status === 'pending' && at !== null && retry <= RETRIES;
    retry += 1
  ) {
    if (coming.length === RETRIES_AHEAD) break
    const note = coming.length === 0 ? 'due' : 'approximate, if the attempt before fails'
    coming.push({
      tone: 'off',
      what: retry === 0 ? 'First attempt' : `Retry ${retry} of ${RETRIES}`,
      at,
      note,
    })
    at += retryDelay(retry, DRAWN_BELOW / 2) * 1_000
  }
  if (made.length + coming.length < 2) return null
  return html`<ol class="line" aria-label="Timeline of attempts">${[...made, ...coming].map(
    ({ tone, what, at, note }) =>
      html`<li class="${tone}"><b>${what}</b> ${cell(time(wireTime(at)))} <span class="note">${note}</span></li>`,
  )}</ol>`
}

/** Renders one check of a receiver, step by step. */
const checkView = ({
  title,
  isRight,
  parts,
  joined,
  recipe,
  digests,
  sent,
}: CheckView): SafeHtml => html`<h3>${title} <span class="status ${isRight ? 'good' : 'bad'}">${isRight ? 'right' : 'wrong'}</span></h3>
<ol class="steps"><li>Take the parts:
<dl class="facts">${parts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${name === 'body' ? html`<span class="quiet">${value === '' ? 'empty, as for every GET' : `the unchanged body, ${value.length} characters`}</span>` : html`<code>${value}</code>`}</dd></div>`)}</dl></li>
<li>Join them${parts[2]?.[0] === 'body' ? ' by dots' : null}:${joined.length > 300 ? html`<details><summary>Show the text</summary>${codeBlock(joined)}</details>` : codeBlock(joined)}</li>
<li>${recipe}:${digests.map(codeBlock)}</li>
<li>Compare the result with the received value:${codeBlock(sent)}${isRight ? 'They are equal.' : 'They are different: the key or the secret has changed since.'}</li></ol>
`

/** Compares two attempts of a delivery: the last two, unless the address names others. */
async function compare(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies, parameters } = visit
  const row = await requireDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await attemptsOf(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const chosen = (name: string, otherwise: number) =>
    attempts.find(({ number }) => String(number) === text(parameters, name)) ??
    attempts.at(otherwise)
  const [left, right] = [chosen('left', -2), chosen('right', -1)]
  if (!left || !right) throw noPage()
  return {
    title: `Attempts of delivery ${row.id}`,
    body: html`<p><a href="${home}/webhooks/${row.id}">Back to the delivery</a></p>
<form class="filters" method="get">${choiceOf('Left', 'left', left.number, attempts)}${choiceOf('Right', 'right', right.number, attempts)}<button>Compare</button></form>
<table class="compare">
<thead><tr><th scope="col">Part</th><th scope="col">Attempt ${left.number}</th><th scope="col">Attempt ${right.number}</th></tr></thead>
<tbody>${compared(left, right).map(
      (each) => html`
<tr${each.differs ? html` class="differs"` : null}><th scope="row">${each.name}${each.differs ? html` <span class="status waiting">differs</span>` : null}</th><td data-head="Attempt ${left.number}">${comparedText(each.left)}</td><td data-head="Attempt ${right.number}">${comparedText(each.right)}</td></tr>`,
    )}
</tbody>
</table>`,
  }
}

const choiceOf = (
  label: string,
  name: string,
  chosen: number,
  attempts: readonly WebhookAttemptRow[],
): SafeHtml =>
  html`<label>${label} <select name="${name}">${attempts.map(({ number }) => html`<option${number === chosen ? html` selected` : null}>${number}</option>`)}</select></label>`

/** Characters of a value that needs no block. */
const SHORT = 60

function comparedText(text: string): SafeHtml | string {
  if (text === '') return html`<span class="quiet">none</span>`
  return text.length < SHORT ? text : html`<pre tabindex="0">${text}</pre>`
}

const factsOf = (row: WebhookDeliveryRow, home: string) =>
  Object.entries({
    Created: moment(row.created_at),
    Trigger: plain(row.trigger),
    Transaction:
      row.transaction_id === null
        ? plain('')
        : link(row.transaction_id, `${home}/transactions/${row.transaction_id}`),
    Template: row.template === null ? plain('') : link(row.template, `${home}/webhook_templates`),
    Target: plain(targetOf(row)),
    'Data format': plain(row.data_format),
    'webhook-id': plain(row.message_id),
    'Event id': plain(row.event_id),
    Attempts: plain(row.calls),
    'Next attempt': moment(row.due_at),
  })
    .filter(([, { text }]) => text !== '')
    .map(([name, cell]) => ({ name, ...cell }))

/** Describes what happens next to a delivery, and why. */
function planOf(row: WebhookDeliveryRow): string {
  return row.again_from === null
    ? PLANS[row.status](row)
    : 'It was requested again by hand and is being sent now.'
}

const PLANS: Readonly<Record<DeliveryStatus, (row: WebhookDeliveryRow) => string>> = {
  delivered: () => 'Delivered. No further attempts.',
  failed: () => 'Failed. This kind of failure is not retried. You can send it again by hand.',
  dead: () =>
    `Failed permanently (dead letter): all ${RETRIES} retries failed. You can send it again by hand.`,
  pending({ attempts, due_at }) {
    const at = moment(due_at).text
    if (attempts === 0) return `The first attempt is due at ${at}.`
    const [least, most] = [0, DRAWN_BELOW - 1].map((drawn) => retryDelay(attempts - 1, drawn))
    return `Retry ${attempts} of ${RETRIES} is due at ${at}. The schedule sets it ${least} to ${most} seconds after the attempt before.`
  },
}

/** Returns the body of the last attempt, if it differs from the shown one. */
function asSent({ body }: FullDelivery, attempts: readonly WebhookAttemptRow[]): string | null {
  const sent = attempts.at(-1)?.request_body ?? body
  return sent === body ? null : bounded(sent)
}
