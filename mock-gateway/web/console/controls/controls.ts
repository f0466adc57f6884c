import { badFormat } from '../../../domain/errors/errors.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { CLOCK_MODES, switchedOnNotes } from '../parts/menu.ts'
import { runFromForm } from '../parts/operation-form.ts'
import type { Done } from '../sections.ts'
import {
  type ActionAnswer,
  type ConsolePage,
  type ConsoleRoute,
  type ConsoleView,
  type ConsoleVisit,
  noPage,
  sendFile,
} from '../visit.ts'
import { type ClockMoved, clockPart, inUtc, reportView } from './clock.ts'
import { resetPart, snapshotsPart } from './data.ts'
import { faultsPart } from './faults.ts'
import { allowedOperations, FOR_ALL, ownsAll } from './operations.ts'
import { renderPress } from './part.ts'
import { resultsPart } from './results.ts'
import { sendingPart } from './sending.ts'

const path = '/controls'

/**
 * The page of all test controls, of a merchant or of all, and the action of its forms. Every form
 * names an operation of the control API.
 */
export const CONTROLS: readonly ConsoleRoute<ConsoleVisit>[] = [
  { path, show: (visit) => show(visit) },
  {
    path: `${path}/:operation`,
    act,
    again: (visit, problem) => show({ ...visit, refused: { form: getName(visit), problem } }),
  },
]

/** File with the data of a merchant or of all, for the administrator. */
export const FIXTURES_PAGE: ConsolePage<ConsoleVisit> = {
  path: `${path}/fixtures.json`,
  async show(visit) {
    const content = JSON.stringify(await runFromForm(visit, 'fixtures.export'), null, 2)
    return sendFile('fixtures.json', 'application/json', content)
  },
}

const getName = ({ named: { operation = '' } }: ConsoleVisit): string => operation

async function act(visit: ConsoleVisit): Promise<ActionAnswer> {
  const name = getName(visit)
  if (!(await allowedOperations(visit)).includes(name)) throw noPage()
  const isForAll = FOR_ALL.includes(name) && (await ownsAll(visit))
  const runner = isForAll ? { ...visit, merchant: undefined } : visit
  const input = name === 'fixtures.load' ? readFixtures(visit.fields) : inUtc(visit.fields)
  const answer = (await runFromForm(runner, name, input)) as object
  return 'happened' in answer
    ? show(visit, answer as ClockMoved)
    : { to: path, done: doneBy(name, isForAll), ...countIn(answer) }
}

const doneBy = (name: string, isForAll: boolean): Done =>
  name === 'sandbox.normal' && !isForAll ? 'own_normal' : (DONE_BY[name] ?? 'saved')

/** Words of the sentence after each operation, if it is not "saved". */
const DONE_BY: Readonly<Record<string, Done>> = {
  'payments.force': 'outcome_added',
  'captures.force': 'outcome_added',
  'payments.unforce': 'removed',
  'captures.unforce': 'removed',
  'faults.inject': 'fault_added',
  'faults.remove': 'removed',
  'faults.clear': 'faults_deleted',
  'webhooks.release': 'released',
  'sandbox.normal': 'normal',
  'data.reset': 'reset',
  'snapshots.restore': 'restored',
  'snapshots.delete': 'removed',
  'fixtures.load': 'loaded',
}

/** Reads the fixtures of a form. @throws errors.request.bad_format (253) */
function readFixtures(sent: Parameters): Parameters {
  try {
    return JSON.parse(text<string>(sent, 'fixtures') ?? '')
  } catch (error) {
    throw badFormat(`The fixtures are not JSON: ${(error as Error).message}.`)
  }
}

function countIn(answer: {
  readonly loaded?: Readonly<Record<string, number>>
  readonly released?: number
}): { readonly count?: number } {
  const { loaded, released: count } = answer
  if (loaded) return { count: Object.values(loaded).reduce((sum, each) => sum + each, 0) }
  return count === undefined ? {} : { count }
}

async function show(visit: ConsoleVisit, moved?: ClockMoved): Promise<ConsoleView> {
  const { merchant, refused, dependencies } = visit
  const allowed = await allowedOperations(visit)
  // The refused form may be one that this visitor has no page for.
  if (refused && !allowed.includes(refused.form)) throw noPage()
  const offers = (name: string) => allowed.includes(name)
  const isOwner = await ownsAll(visit)
  const clock = await dependencies.timeline.view(merchant?.id)
  const pair = (...parts: readonly (SafeHtml | null)[]) => html`<div class="columns">${parts}</div>`
  return {
    title: merchant ? 'Test controls' : 'Test controls of all merchants',
    live: ['data', 'transactions', 'webhooks', 'requests'],
    now: clock.now,
    body: html`${moved && (await reportView(visit, moved))}
${offers('sandbox.normal') ? await switchedOn(visit, clock.mode) : null}
${offers('clock.advance') ? pair(await clockPart(visit, clock), await resultsPart(visit, isOwner)) : null}
${pair(
  offers('faults.inject') ? await faultsPart(visit, isOwner) : null,
  merchant ? await sendingPart(visit, merchant) : null,
)}
${offers('snapshots.save') ? await snapshotsPart(visit) : offers('data.reset') ? resetPart(visit) : null}`,
  }
}

/** Renders what is switched on, with the one button that switches it off. */
async function switchedOn(visit: ConsoleVisit, mode: string): Promise<SafeHtml> {
  const notes = [
    ...(mode === 'real' ? [] : [CLOCK_MODES[mode] ?? mode]),
    ...(await switchedOnNotes(visit.dependencies, visit.merchant)),
  ]
  return notes.length === 0
    ? html`<p class="quiet" role="status">Everything is normal: real time, no forced results, no faults.</p>`
    : html`<div class="callout waiting row folds" role="status">${notes.map(
        (note) => html`<span class="is waiting">${note}</span> `,
      )}${renderPress(visit, 'sandbox.normal', 'Back to normal')}</div>`
}
