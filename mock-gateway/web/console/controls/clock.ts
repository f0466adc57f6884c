import { MOVE_NAMES, type MoveClock, type MoveName, readMove } from '../../../operations/clock.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { addTimeSpan } from '../../../scheduler/clock-moves.ts'
import type { ClockReportLine } from '../../../scheduler/due.ts'
import type { ClockMode } from '../../../scheduler/known-clocks.ts'
import type { ClockReport, ClockView } from '../../../scheduler/scheduler.ts'
import { wireTime } from '../../../serializers/time.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { type Cell, link, plain, time } from '../parts/cells.ts'
import { emptyState } from '../parts/empty.ts'
import { type ConsoleProblem, redisplayOnError } from '../parts/form-errors.ts'
import { tokenField } from '../parts/forms.ts'
import { everybody, type Owner, type OwnerOf, oneMerchant } from '../parts/owner.ts'
import { problemLine } from '../parts/problem.ts'
import { type Table, table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  fieldsOf,
  textsOf,
} from '../visit.ts'

/** Page of a merchant's own clock. */
export const CLOCK = createClockPages(oneMerchant)

/** Page of the common clock. */
export const COMMON_CLOCK = createClockPages(everybody)

/** Creates the page of a clock, and the form actions that move it. */
function createClockPages<Who extends ConsoleVisit>(ownerOf: OwnerOf<Who>) {
  const page: ConsolePage<Who> = {
    path: '/clock',
    section: 'clock',
    async show(visit) {
      const owner = ownerOf(visit)
      return clockView(visit, owner, await visit.dependencies.timeline.view(owner.merchantId))
    },
  }
  const acts = MOVE_NAMES.map(
    (name): FormAction<Who> => ({
      path: `/clock/${name}`,
      section: 'clock',
      act: (visit) =>
        redisplayOnError(
          visit,
          async () => {
            const owner = ownerOf(visit)
            const sent = inUtc(fieldsOf(visit))
            const { move, options } = readMove(name, sent)
            const report = await visit.dependencies.timeline.move(move, {
              ...options,
              merchantId: owner.merchantId,
            })
            return clockView(
              visit,
              owner,
              report,
              reportOf(
                owner,
                report,
                createContinueForm({ move, options }, report, { name, sent }),
              ),
            )
          },
          async (problem) => {
            const owner = ownerOf(visit)
            const view = await visit.dependencies.timeline.view(owner.merchantId)
            return clockView(visit, owner, view, null, {
              form: name,
              problem,
              ...textsOf(visit.parameters, TYPED_FIELDS),
            })
          },
        ),
    }),
  )
  return { page, acts }
}

/** Fields of the form. */
const TYPED_FIELDS = ['months', 'days', 'seconds', 'at'] as const

/** Fields of a rejected form, and the error. */
type RefusedMove = Readonly<Record<(typeof TYPED_FIELDS)[number], string>> & {
  readonly form: MoveName | ''
  readonly problem: ConsoleProblem | null
}

const NONE_REFUSED: RefusedMove = { form: '', problem: null, ...textsOf({}, TYPED_FIELDS) }

/** @param report result of a move; null if the clock was not moved */
function clockView(
  visit: ConsoleVisit,
  owner: Owner,
  { mode, now, next, merchantId }: ClockView,
  report: Report | null = null,
  refused = NONE_REFUSED,
): ConsoleView {
  const at = `${owner.home}/clock`
  const token = tokenField(visit)
  const problemIn = (...forms: readonly MoveName[]) =>
    refused.problem && forms.some((form) => form === refused.form)
      ? problemLine(refused.problem)
      : null
  const isOpen = (['advance', 'set', 'freeze'] as const).some((form) => form === refused.form)
  const step = (name: string, fields: Readonly<Record<string, string>>) =>
    html`<form method="post" action="${at}/advance">${token}${hiddenFields(fields)}
<button${'until' in fields ? null : html` class="small"`}>${name}</button></form>`
  return {
    live: ['data', 'transactions', 'webhooks'],
    title: merchantId === undefined ? 'Clock of all merchants' : 'Clock',
    now,
    body: html`${report && reportView(report, at, token)}
<p class="amount">${time(wireTime(now)).text} <span class="quiet">UTC</span></p>
${
  mode === 'real'
    ? html`<p>${MODES_IN_WORDS.real}</p>`
    : html`<div class="callout waiting"><p>${MODES_IN_WORDS[mode]}</p>
<form class="presets" method="post" action="${at}/resume">${token}${hiddenFields({ force: 'true' })}
${mode === 'frozen' ? html`<button class="small">Start the clock</button>` : null}
<button class="small" name="real" value="true">Back to real time</button>
${problemIn('resume')}</form></div>`
}
<p class="quiet">${
      merchantId === undefined
        ? 'Merchants with a clock of their own are not affected.'
        : 'If you move this clock, the merchant gets a clock of its own, until you go back to real time.'
    }
Everything that becomes due on the way runs, with its own date.</p>
<div class="presets">
${step('To the next event', { until: 'next_event' })}
${step('+1 hour', { hours: '1' })}
${step('+1 day', { days: '1' })}
${step('+1 month', { months: '1' })}
${
  mode === 'frozen'
    ? null
    : html`<form method="post" action="${at}/freeze">${token}
<button class="small">Stop the clock</button></form>`
}
</div>
<details${isOpen ? html` open` : null}><summary>Move by another span, or to a time</summary>
<h2>Move by</h2>
<form class="filters" method="post" action="${at}/advance">${token}
<label>Months <input name="months" value="${refused.months}" size="6" inputmode="numeric"></label>
<label>Days <input name="days" value="${refused.days}" size="6" inputmode="numeric"></label>
<label>Seconds
<input name="seconds" value="${refused.seconds}" size="6" inputmode="numeric"></label>
<button class="small">Move</button>${problemIn('advance')}</form>
<h2>Move to</h2>
<form class="filters" method="post" action="${at}/set">${token}
<label>Time, UTC
<input type="datetime-local" name="at" step="1" value="${refused.at}" required></label>
<button class="small">Move</button>
<button class="small" formaction="${at}/freeze">Move and stop</button>
<label class="tick">
<input type="checkbox" name="force" value="true"> Allow moving back in time</label>
${problemIn('set', 'freeze')}</form>
<p class="hint">If the clock moves back, some data have later dates than the clock.</p>
</details>
<h2>Next event of each kind</h2>
${
  next.length > 0
    ? table({
        heads: ['When', 'Kind', 'About', ...owner.heads],
        places: ['first-end', 'second', 'first'],
        rows: next.map((due) => [
          time(wireTime(due.at)),
          plain(due.kind),
          aboutOf(due, owner),
          ...owner.cells(due),
        ]),
      })
    : emptyState('Nothing is due.')
}`,
  }
}

/** Renders the result of a move. @param at address of the clock forms, without their names */
export function reportView(report: Report, at: string, token: SafeHtml): SafeHtml {
  const { from, now, quiet, count, rows, on } = report
  const happened =
    count === 0 ? 'Nothing happened.' : `${count} ${count === 1 ? 'event' : 'events'} happened.`
  const due = quiet
    ? 'No more events are due before that time.'
    : 'Not all due events were processed. Continue to process the rest.'
  return html`<div class="${quiet ? 'done' : 'problem'}" role="status">
<p>The clock moved from ${from} to ${now} UTC.
${happened} ${due}</p>
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
${
  count > rows.length
    ? html`<p class="quiet">The first ${rows.length} of ${count} events.</p>`
    : null
}`
    : null
}`
}

const MODES_IN_WORDS: Readonly<Record<ClockMode, string>> = {
  real: 'The clock shows the machine’s time.',
  offset: 'The clock runs, but differs from the machine’s time.',
  frozen: 'The clock is stopped.',
}

/** View data of a move. */
export interface Report extends Table {
  readonly from: string
  readonly now: string
  readonly quiet: boolean
  readonly count: number
  /** Form for the remaining work; null if there is none. */
  readonly on: Form | null
}

/** A form with only a button. */
export interface Form {
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

/** Creates the form with which you continue a move that reached a limit. */
function createContinueForm(
  { move, options }: MoveClock,
  { from }: ClockReport,
  { name, sent }: { readonly name: MoveName; readonly sent: Parameters },
): Form {
  const [act, fields] =
    move.kind === 'advance'
      ? [
          'set',
          {
            at: new Date(addTimeSpan(from, move.by)).toISOString(),
            ...(options.force && { force: 'true' }),
          },
        ]
      : [name, sent]
  return {
    to: act,
    fields: Object.entries(fields).map(([field, value]) => ({ name: field, value: String(value) })),
  }
}

/** Pages of the objects in a report, by kind. */
const ABOUT: Readonly<Record<string, readonly [path: string, one: string]>> = {
  expiry: ['transactions', 'Transaction'],
  answer: ['transactions', 'Transaction'],
  capture: ['transactions', 'Transaction'],
  charge: ['subscriptions', 'Subscription'],
  webhook: ['webhooks', 'Delivery'],
}

/** Links a line to its transaction, subscription or delivery. */
function aboutOf(
  { kind, id, merchantId, facts = {} }: Omit<ClockReportLine, 'what'> & Partial<ClockReportLine>,
  owner: Owner,
): Cell {
  const home = owner.homeOf(merchantId)
  const { transaction_id } = facts
  if (transaction_id && kind !== 'webhook')
    return link(`Transaction ${transaction_id}`, `${home}/transactions/${transaction_id}`)
  const [path, one] = ABOUT[kind] ?? []
  return path ? link(`${one} ${id}`, `${home}/${path}/${id}`) : plain(id)
}

/** Adds a zone to a browser's date field, which has none; these pages use UTC. */
function inUtc(sent: Parameters): Parameters {
  const at = text(sent, 'at')
  return at !== undefined && /T[\d:.]+$/.test(at) ? { ...sent, at: `${at}Z` } : sent
}
