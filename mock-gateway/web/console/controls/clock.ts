import { durationText } from '../../../domain/duration-text.ts'
import { MOVE_NAMES, type MoveName, readMove } from '../../../operations/clock.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import type { ClockReport, ClockView } from '../../../scheduler/clock-moves.ts'
import { addTimeSpan } from '../../../scheduler/clock-moves.ts'
import type { ClockReportLine, DueItem } from '../../../scheduler/due.ts'
import type { ClockMode } from '../../../scheduler/known-clocks.ts'
import { wireTime } from '../../../serializers/time.ts'
import { namedPayments } from '../../../storage/transactions.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { type Cell, countOf, link, plain, time } from '../parts/cells.ts'
import { asCommand, commandOf } from '../parts/command.ts'
import { tokenField } from '../parts/forms.ts'
import type { Owner } from '../parts/owner.ts'
import { type Table, table } from '../parts/table.ts'
import { type ConsoleVisit, fieldsOf, textsOf } from '../visit.ts'
import { type Part, part } from './part.ts'

/** Moves the clock as a form of the page says. */
export async function moveClock(visit: ConsoleVisit, owner: Owner, name: MoveName) {
  const sent = inUtc(fieldsOf(visit))
  const { move, options } = readMove(name, sent)
  const report = await visit.dependencies.timeline.move(move, {
    ...options,
    merchantId: owner.merchantId,
  })
  // A span that reached a limit continues to its end, not by the whole span again.
  const [to, fields] =
    move.kind === 'advance'
      ? ([
          'set',
          {
            at: new Date(addTimeSpan(report.from, move.by)).toISOString(),
            ...(options.force && { force: 'true' }),
          },
        ] as const)
      : ([name, sent] as const)
  const more = Object.entries(fields).map(([field, value]) => ({
    name: field,
    value: String(value),
  }))
  return reportOf(owner, report, { to: `clock.${to}`, fields: more })
}

/** Returns the clock change that an operation makes; undefined for other operations. */
export const moveIn = (operation: string): MoveName | undefined =>
  MOVE_NAMES.find((name) => operation === `clock.${name}`)

const MODES: Readonly<Record<ClockMode, string>> = {
  real: 'real time',
  offset: 'moved, and running',
  frozen: 'stopped',
}

/** Steps of the clock: the words of each button, and the fields that it sends. */
const STEPS = {
  'Next event': { until: 'next_event' },
  '+1 hour': { hours: '1' },
  '+1 day': { days: '1' },
  '+1 month': { months: '1' },
}

const TYPED = ['months', 'days', 'seconds', 'at'] as const

/** Renders the clock of a merchant, or the common one, and the events that are due. */
export async function clockPart(
  visit: ConsoleVisit,
  { owner, at, problemOf }: Part,
  { mode, now, next, merchantId }: ClockView,
): Promise<SafeHtml> {
  const token = tokenField(visit)
  const moves = MOVE_NAMES.map((name) => problemOf(`clock.${name}`)).filter((each) => each !== null)
  const typed = textsOf(moves.length > 0 ? visit.parameters : {}, TYPED)
  const post = (name: string, fields: Readonly<Record<string, string>>, button: SafeHtml) =>
    html`<form method="post" action="${at}/clock.${name}">${token}${hiddenFields(fields)}${button}</form>`
  const events = await eventsOf(visit, next, owner, now)
  return part(
    'Clock',
    asCommand(commandOf('clock.advance', { days: '1' }, owner.merchantId)),
    html`<p class="clock"><span data-clock>${time(wireTime(now)).text}</span> <small>UTC, ${MODES[mode]}</small></p>
<div class="btns">
${Object.entries(STEPS).map(([words, fields], index) =>
  post(
    'advance',
    fields,
    html`<button${index > 0 ? html` class="small"` : null}>${words}</button>`,
  ),
)}
</div>
<form class="inline" method="post" action="${at}/clock.set">${token}
<input type="datetime-local" name="at" step="1" value="${typed.at}" aria-label="Date and time, UTC" required>
<button class="small">Go there</button>
<button class="small" formaction="${at}/clock.freeze">Go there and stop</button>
<label class="tick"><input type="checkbox" name="force" value="true"> Also back in time</label></form>
<details${moves.length > 0 && typed.at === '' ? html` open` : null}><summary>Another span</summary>
<form class="inline" method="post" action="${at}/clock.advance">${token}
${(['months', 'days', 'seconds'] as const).map(
  (unit) =>
    html`<label>${unit} <input name="${unit}" value="${typed[unit]}" size="6" inputmode="numeric"></label>`,
)}
<button class="small">Move</button></form></details>
${moves}
<div class="btns">
${mode === 'frozen' ? post('resume', { force: 'true' }, html`<button class="small">Let it run</button>`) : post('freeze', {}, html`<button class="small">Stop the clock</button>`)}
${mode === 'real' ? null : post('resume', { force: 'true', real: 'true' }, html`<button class="small">Back to real time</button>`)}
</div>
<p class="hint">${
      merchantId === undefined
        ? 'Merchants with a clock of their own keep it.'
        : 'A move gives this merchant a clock of its own, until you go back to real time.'
    } Everything due on the way happens, with its own date.</p>
<h3>Next events</h3>
${
  events.length > 0
    ? html`<ol class="rows when">${events}</ol>`
    : html`<p class="quiet">Nothing is due. <a href="/">Make a payment</a>, and it expires or is captured here.</p>`
}`,
  )
}

/** What an event of each kind does, with the path of its object's page. */
const EVENTS: Readonly<
  Record<string, readonly [path: string, words: (id: string | number) => string]>
> = {
  expiry: ['transactions', (id) => `Payment ${id} expires`],
  answer: ['transactions', (id) => `The time to answer payment ${id} ends`],
  capture: ['transactions', (id) => `The bank answers the capture of ${id}`],
  charge: ['subscriptions', (id) => `Subscription ${id} is charged`],
  webhook: ['webhooks', (id) => `Webhook ${id} is sent`],
  authentication: ['', () => 'A challenge of 3-D Secure times out'],
}

async function eventsOf(
  { dependencies }: ConsoleVisit,
  next: ClockView['next'],
  owner: Owner,
  now: number,
) {
  const ids = next.flatMap(({ kind, id }) => (EVENTS[kind]?.[0] === 'transactions' ? [id] : []))
  const payments = await namedPayments(dependencies.database.db, ids)
  return next.map(({ at, kind, id, merchantId }) => {
    const [path, words] = EVENTS[kind] ?? ['', () => `${kind} ${id}`]
    const order = path === 'transactions' ? payments.get(id)?.payment_ref : null
    const shown = words(order || id)
    return html`
<li>${timeOf(at)}<span>${path ? html`<a href="${owner.homeOf(merchantId)}/${path}/${id}">${shown}</a>` : shown}${
      owner.heads.length > 0 ? html`<small>merchant ${merchantId}</small>` : null
    }</span><span class="quiet">${at > now ? `in ${durationText(at - now)}` : 'now'}</span></li>`
  })
}

const timeOf = (at: number): SafeHtml => {
  const { text, moment } = time(wireTime(at))
  return html`<time class="quiet number" datetime="${moment}">${text}</time>`
}

/** Renders the result of a move. @param at address of the forms, without their names */
export function reportView(report: Report, at: string, token: SafeHtml): SafeHtml {
  const { from, now, quiet, count, rows, on } = report
  return html`<div class="${quiet ? 'done' : 'problem'}" role="status">
<p>The clock moved from ${from} to ${now} UTC.
${count === 0 ? 'Nothing happened.' : `${countOf(count, 'event')} happened.`}
${
  quiet
    ? 'No more events are due before that time.'
    : 'Not all due events were processed. Continue to process the rest.'
}</p>
${
  on &&
  html`<form method="post" action="${at}/${on.to}">${token}
${on.fields.map(({ name, value }) => hiddenFields({ [name]: value }))}
<button>Continue</button></form>`
}</div>
${
  count > 0
    ? html`<h2>Events</h2>
${table(report)}
${count > rows.length ? html`<p class="quiet">The first ${rows.length} of ${count} events.</p>` : null}`
    : null
}`
}

/** View data of a move. */
export interface Report extends Table {
  readonly from: string
  readonly now: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly quiet: boolean
  readonly count: number
  /** Form for the remaining work; null if there is none. */
  readonly on: Form | null
}

/** A form with only a button. */
interface Form {
  readonly to: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** Maximum lines of a report on a page. A move may cause a hundred thousand. */
const MAX_LINES = 500

/** @param on form for the remaining work, if a limit was reached */
export function reportOf(
  owner: Owner,
  { from, now, quiet, happened }: ClockReport,
  on: Form,
): Report {
  return {
    from: time(wireTime(from)).text,
    now: time(wireTime(now)).text,
    at: now,
    quiet,
    count: happened.length,
    on: quiet ? null : on,
    heads: ['When', 'Kind', 'About', 'Result', ...owner.heads],
    rows: happened
      .slice(0, MAX_LINES)
      .map((line) => [
        time(wireTime(line.at)),
        plain(line.kind),
        aboutOf(line, owner),
        plain(line.what),
        ...owner.cells(line),
      ]),
  }
}

/** Names of the objects in a report, by the path of their page. */
const ONE: Readonly<Record<string, string>> = {
  transactions: 'Transaction',
  subscriptions: 'Subscription',
  webhooks: 'Delivery',
}

/** Links a line to its transaction, subscription or delivery. */
function aboutOf(
  { kind, id, merchantId, facts = {} }: DueItem & Pick<ClockReportLine, 'kind' | 'facts'>,
  owner: Owner,
): Cell {
  const home = owner.homeOf(merchantId)
  const { transaction_id } = facts
  if (transaction_id && kind !== 'webhook')
    return link(`Transaction ${transaction_id}`, `${home}/transactions/${transaction_id}`)
  const [path = ''] = EVENTS[kind] ?? []
  return path ? link(`${ONE[path]} ${id}`, `${home}/${path}/${id}`) : plain(id)
}

/** Adds a zone to a browser's date field, which has none; these pages use UTC. */
function inUtc(sent: Parameters): Parameters {
  const at = text(sent, 'at')
  return at !== undefined && /T[\d:.]+$/.test(at) ? { ...sent, at: `${at}Z` } : sent
}
