import { formatDuration } from '../../../domain/duration-text.ts'
import type { presentReport } from '../../../operations/clock.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import type { ClockView } from '../../../scheduler/clock-moves.ts'
import type { ClockMode } from '../../../scheduler/clocks.ts'
import { formatWireTime } from '../../../serializers/time.ts'
import { findNamedPayments } from '../../../storage/transactions.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatMinute } from '../../pages/times.ts'
import { formatCount, link, renderCell, timeAt, toCell } from '../parts/cells.ts'
import { renderFolded, renderTokenField } from '../parts/forms.ts'
import { findProblem, getTarget, renderOperationForm } from '../parts/operation-form.ts'
import { type ConsoleVisit, readTexts } from '../visit.ts'
import { renderPart, renderPress, renderProblemOf } from './part.ts'

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

const SPAN = {
  ...{ name: 'clock.advance', path: '/controls/clock.advance', button: 'Move' },
  fields: { months: {}, days: {}, seconds: {} },
}

/** Renders the clock of a merchant, or the common one, and the events that are due. */
export async function clockPart(
  visit: ConsoleVisit,
  { mode, now, next, merchantId }: ClockView,
): Promise<SafeHtml> {
  const problem = renderProblemOf(visit, 'clock.set', 'clock.freeze', 'clock.resume')
  const { at } = readTexts(problem ? visit.parameters : {}, ['at'])
  return renderPart(
    visit,
    'Clock',
    { 'clock.advance': { days: 1 } },
    html`<p class="amount">${formatMinute(now)} <span class="quiet">UTC, ${MODES[mode]}</span></p>
<div class="row">
${Object.entries(STEPS).map(([words, fields], index) =>
  renderPress(visit, 'clock.advance', words, fields, index === 0 ? 'main' : null),
)}
</div>
<div class="row"><form class="row" id="clock-set" method="post" action="${getTarget(visit, '/controls/clock.set')}">${renderTokenField(visit)}
<input type="datetime-local" name="at" step="1" value="${at}" aria-label="Date and time, UTC" required>
<button class="small">Go there</button></form>
${mode === 'frozen' ? renderPress(visit, 'clock.resume', 'Let it run', { force: 'true' }) : null}
${mode === 'real' ? null : renderPress(visit, 'clock.resume', 'Back to real time', { force: 'true', real: 'true' })}
</div>
${problem}
<h3 class="quiet">Next events</h3>
${
  next.length > 0
    ? await eventList(
        visit,
        next.map((event) => ({
          ...event,
          aside: event.at > now ? `in ${formatDuration(event.at - now)}` : 'now',
        })),
      )
    : html`<p class="quiet">Nothing is due. <a href="/">Make a payment</a>, and it expires or is captured here.</p>`
}
${renderFolded(
  'More',
  html`<p class="hint">${
    merchantId === undefined
      ? 'Merchants with a clock of their own keep it.'
      : 'If you move the clock, this merchant gets its own clock until you go back to real time.'
  } Everything due in between happens, dated when it was due.</p>
${renderRareMoves(visit, mode)}`,
  {
    isOpen: problem !== null || findProblem(visit, SPAN.name) !== null,
  },
)}`,
  )
}

/** Renders the rare buttons and the form that move or stop the clock. */
const renderRareMoves = (visit: ConsoleVisit, mode: ClockMode): SafeHtml =>
  html`<div class="row">
<button class="small" form="clock-set" formaction="${getTarget(visit, '/controls/clock.freeze')}">Go there and stop</button>
<label><input type="checkbox" name="force" value="true" form="clock-set"> Also back in time</label>
${mode === 'frozen' ? null : renderPress(visit, 'clock.freeze', 'Stop the clock')}
</div>
${renderOperationForm(visit, SPAN)}`

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

/** An event that is due or that happened. */
interface ShownEvent {
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: string
  readonly merchantId: number
  readonly id: number
  /** Result, or time until then. */
  readonly aside: string | undefined
  /** The payment of another object's event. */
  readonly transactionId?: number | undefined
}

async function eventList(
  { root, merchant, db }: ConsoleVisit,
  events: readonly ShownEvent[],
): Promise<SafeHtml> {
  const ids = events.flatMap(({ kind, id }) => (EVENTS[kind]?.[0] === 'transactions' ? [id] : []))
  const payments = await findNamedPayments(db, ids)
  const view = ({ at, kind, id, merchantId, aside, transactionId }: ShownEvent) => {
    const home = `${root}/${merchantId}`
    const [path, words] = EVENTS[kind] ?? ['', () => `${kind} ${id}`]
    const order = path === 'transactions' ? payments.get(id)?.payment_ref : null
    const payment =
      transactionId && link(`Transaction ${transactionId}`, `${home}/transactions/${transactionId}`)
    return html`
<li><time class="quiet number" datetime="${formatWireTime(at)}">${formatMinute(at)}</time><span>${renderCell({ ...toCell(words(order || id)), to: path && `${home}/${path}/${id}` })}
<small>${payment && renderCell(payment)}${merchant === undefined ? ` merchant ${merchantId}` : null}</small></span><span class="quiet">${aside}</span></li>`
  }
  return html`<ol class="rows">${events.map(view)}</ol>`
}

/** Answer of an operation that moves a clock. */
export type ClockMoved = Omit<Report, 'next' | 'happened'> & {
  readonly happened: readonly (Report['happened'][number] & { readonly transaction_id?: number })[]
}

type Report = ReturnType<typeof presentReport>

/** Maximum lines of a report on a page. A move may cause a hundred thousand. */
const MAX_LINES = 500

export async function reportView(
  visit: ConsoleVisit,
  { from, now, quiet, happened, seconds_left }: ClockMoved,
): Promise<SafeHtml> {
  const words = (moment: string) => timeAt(Date.parse(moment)).text
  const shown = happened.slice(0, MAX_LINES)
  return html`<div class="callout ${quiet ? 'good' : 'bad'}" role="status">
<p>The clock moved from ${words(from)} to ${words(now)} UTC.
${happened.length === 0 ? 'Nothing happened.' : `${formatCount(happened.length, 'event')} happened.`}
${
  quiet
    ? 'No more events are due before that time.'
    : 'Not all due events were processed. Continue to process the rest.'
}</p>
${quiet ? null : renderPress(visit, 'clock.advance', 'Continue', { seconds: seconds_left ?? 0 })}</div>
${await eventList(
  visit,
  shown.map(({ at, merchant_id, what, transaction_id, ...event }) => ({
    ...event,
    at: Date.parse(at),
    merchantId: merchant_id,
    aside: what,
    transactionId: transaction_id === event.id ? undefined : transaction_id,
  })),
)}
${happened.length > shown.length ? html`<p class="quiet">The first ${shown.length} of ${happened.length} events.</p>` : null}`
}

/** Adds a zone to a browser's date field, which has none; these pages use UTC. */
export function inUtc(sent: Parameters): Parameters {
  const at = text(sent, 'at')
  return at !== undefined && /T[\d:.]+$/.test(at) ? { ...sent, at: `${at}Z` } : sent
}
