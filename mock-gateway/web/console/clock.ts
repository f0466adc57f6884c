import { MOVE_FIELDS, type MoveClock, type MoveName, readMove } from '../../parsing/control/clock.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { after } from '../../scheduler/clock-moves.ts'
import type { Happened } from '../../scheduler/due.ts'
import type { ClockMode } from '../../scheduler/known-clocks.ts'
import type { ClockReport, ClockView } from '../../scheduler/timeline.ts'
import { wireTime } from '../../serializers/time.ts'
import { type Cell, link, plain, time } from './cells.ts'
import type { Table } from './design/table.ts'
import { everybody, type Owner, type OwnerOf, oneMerchant } from './owner.ts'
import { orAgain, type Problem } from './refused-form.ts'
import { type Act, fieldsOf, type Page, textsOf, type View, type Visit } from './visit.ts'

/** A merchant's time: it moves its own clock, and no other. */
export const CLOCK = clockOf(oneMerchant)

/** The time of all those who have no clock of their own. */
export const COMMON_CLOCK = clockOf(everybody)

/** The page of a clock, and what moves it. */
function clockOf<Who extends Visit>(ownerOf: OwnerOf<Who>) {
  const page: Page<Who> = {
    path: '/clock',
    section: 'clock',
    async show(visit) {
      const owner = ownerOf(visit)
      return clockView(owner, await visit.dependencies.timeline.view(owner.merchantId))
    },
  }
  const acts = (Object.keys(MOVE_FIELDS) as MoveName[]).map(
    (name): Act<Who> => ({
      path: `/clock/${name}`,
      section: 'clock',
      act: (visit) =>
        orAgain(
          visit,
          async () => {
            const owner = ownerOf(visit)
            const sent = inUtc(fieldsOf(visit))
            const { move, options } = readMove(name, sent)
            const report = await visit.dependencies.timeline.move(move, { ...options, merchantId: owner.merchantId })
            return clockView(owner, report, reportOf(owner, report, goOn({ move, options }, report, { name, sent })))
          },
          async (problem) => {
            const owner = ownerOf(visit)
            const view = await visit.dependencies.timeline.view(owner.merchantId)
            return clockView(owner, view, null, { form: name, problem, ...textsOf(visit.parameters, TYPED) })
          },
        ),
    }),
  )
  return { page, acts }
}

/** What is typed to move a clock. */
const TYPED = ['months', 'days', 'seconds', 'at'] as const

/** What was typed into the form that was refused, and why. */
type Refused = Readonly<Record<(typeof TYPED)[number], string>> & {
  readonly form: MoveName | ''
  readonly problem: Problem | null
}

const NONE_REFUSED: Refused = { form: '', problem: null, ...textsOf({}, TYPED) }

/** @param report what a move has brought about; null where nothing was moved */
function clockView(
  owner: Owner,
  { mode, now, next, merchantId }: ClockView,
  report: Report | null = null,
  refused = NONE_REFUSED,
): View {
  return {
    view: 'clock',
    live: ['data', 'transactions', 'webhooks'],
    title: merchantId === undefined ? 'Clock of all' : 'Clock',
    now,
    data: {
      at: `${owner.home}/clock`,
      now: time(wireTime(now)).text,
      mode,
      runs: RUNS[mode],
      of_all: merchantId === undefined,
      report,
      refused,
      next: {
        heads: ['When', 'Kind', 'About', ...owner.heads],
        rows: next.map((due) => [time(wireTime(due.at)), plain(due.kind), aboutOf(due, owner), ...owner.cells(due)]),
      },
    },
  }
}

const RUNS: Readonly<Record<ClockMode, string>> = {
  real: 'It shows the machine’s time.',
  offset: 'It runs, but not by the machine’s time.',
  frozen: 'It stands.',
}

/** What a view shows of a move. */
export interface Report extends Table {
  readonly from: string
  readonly now: string
  readonly quiet: boolean
  readonly count: number
  /** The form that does what is left; null when nothing is. */
  readonly on: Form | null
}

/** A form that only has a button. */
export interface Form {
  readonly to: string
  readonly fields: readonly { readonly name: string; readonly value: string }[]
}

/** Lines of a report on a page. A move may bring about a hundred thousand. */
const MOST = 500

/** @param on what does the rest, when a limit was reached before all was done */
export function reportOf(owner: Owner, { from, now, quiet, happened }: ClockReport, on: Form): Report {
  return {
    from: time(wireTime(from)).text,
    now: time(wireTime(now)).text,
    quiet,
    count: happened.length,
    on: quiet ? null : on,
    heads: ['When', 'Kind', 'About', 'What', ...owner.heads],
    rows: happened
      .slice(0, MOST)
      .map((line) => [
        time(wireTime(line.at)),
        plain(line.kind),
        aboutOf(line, owner),
        plain(line.what),
        ...owner.cells(line),
      ]),
  }
}

/** The rest of a way: the same move, or where it led to, counted from where it began. */
function goOn(
  { move, options }: MoveClock,
  { from }: ClockReport,
  { name, sent }: { readonly name: MoveName; readonly sent: Parameters },
): Form {
  const [act, fields] =
    move.kind === 'advance'
      ? ['set', { at: new Date(after(from, move.by)).toISOString(), ...(options.force && { force: 'true' }) }]
      : [name, sent]
  return {
    to: act,
    fields: Object.entries(fields).map(([field, value]) => ({ name: field, value: String(value) })),
  }
}

/** What a line is about, when it has the id of a page: by kind. */
const ABOUT: Readonly<Record<string, readonly [path: string, one: string]>> = {
  expiry: ['transactions', 'Transaction'],
  answer: ['transactions', 'Transaction'],
  charge: ['subscriptions', 'Subscription'],
  webhook: ['webhooks', 'Delivery'],
}

/** The transaction that came of it, or what it will be about; a delivery, whatever it is about. */
function aboutOf({ kind, id, merchantId, facts = {} }: Omit<Happened, 'what'> & Partial<Happened>, owner: Owner): Cell {
  const home = owner.homeOf(merchantId)
  const { transaction_id } = facts
  if (transaction_id && kind !== 'webhook')
    return link(`Transaction ${transaction_id}`, `${home}/transactions/${transaction_id}`)
  const [path, one] = ABOUT[kind] ?? []
  return path ? link(`${one} ${id}`, `${home}/${path}/${id}`) : plain(id)
}

/** What a browser's field for a moment sends has no zone; on these pages it is UTC. */
function inUtc(sent: Parameters): Parameters {
  const at = text(sent, 'at')
  return at !== undefined && /T[\d:.]+$/.test(at) ? { ...sent, at: `${at}Z` } : sent
}
