import { badFormat } from '../../../domain/errors/errors.ts'
import { type Parameters, text, yesOrNo } from '../../../parsing/parameters/parameters.ts'
import { allMerchants } from '../../../storage/merchants.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { CLOCK_MODES, switchedOnNotes } from '../parts/menu.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { everybody, oneMerchant } from '../parts/owner.ts'
import type { Done } from '../sections.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  noPage,
} from '../visit.ts'
import { type ClockMoved, clockPart, inUtc, reportView } from './clock.ts'
import { resetPart, snapshotsPart } from './data.ts'
import { faultsPart } from './faults.ts'
import { allowedOperations } from './operations.ts'
import { type Part, press } from './part.ts'
import { resultsPart } from './results.ts'
import { sendingPart } from './sending.ts'

const section = 'controls'
const path = '/controls'

/** Page of all test controls of a merchant. */
export const CONTROLS_PAGE: ConsolePage<MerchantVisit> = {
  path,
  section,
  show: (visit) => show(visit, visit),
}

/** The same about all merchants. */
export const ALL_CONTROLS_PAGES: readonly ConsolePage<ConsoleVisit>[] = [
  { path, section, show: (visit) => show(visit) },
  {
    path: `${path}/fixtures.json`,
    section,
    async show(visit) {
      const fixtures = await runFromForm(visit, 'fixtures.export')
      return {
        name: 'fixtures.json',
        type: 'application/json',
        content: JSON.stringify(fixtures, null, 2),
      }
    },
  },
]

/** Runs the operation of a form of the page. Every form names one of the control API. */
export const CONTROL_ACT: FormAction<MerchantVisit> = {
  path: `${path}/:operation`,
  section,
  act: (visit) => act(visit, visit),
  again: (visit, problem) => {
    const shown = { ...visit, refused: { form: nameIn(visit), problem } }
    return show(shown, shown)
  },
}

export const ALL_CONTROL_ACT: FormAction<ConsoleVisit> = {
  path: `${path}/:operation`,
  section,
  act: (visit) => act(visit),
  again: (visit, problem) => show({ ...visit, refused: { form: nameIn(visit), problem } }),
}

const nameIn = ({ named: { operation = '' } }: ConsoleVisit): string => operation

/** @param of the visit of a merchant's page; undefined on the administrator's page */
const partOf = (visit: ConsoleVisit, of: MerchantVisit | undefined): Part => ({
  visit,
  owner: of ? oneMerchant(of) : everybody(visit),
})

async function act(
  visit: ConsoleVisit,
  of?: MerchantVisit,
): Promise<ConsoleRedirect | ConsoleView> {
  const name = nameIn(visit)
  const { owner } = partOf(visit, of)
  if (!allowedOperations(visit, owner).some((each) => each === name)) throw noPage()
  const isAnyFault = name === 'faults.remove' && (await canDeleteAll(visit))
  const runner = isAnyFault ? { ...visit, merchant: undefined } : visit
  const answer = (await runFromForm(runner, name, sentIn(visit, name))) as object
  return 'happened' in answer
    ? show(visit, of, answer as ClockMoved)
    : { to: path, done: DONE_BY[name] ?? 'saved', ...countIn(answer) }
}

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

/** Reads the fields of a form as the input of its operation. @throws errors.request.bad_format (253) */
function sentIn(visit: ConsoleVisit, name: string): Parameters {
  const { sure, ...sent } = fieldsOf(visit)
  if (name === 'fixtures.load') return readFixtures(sent)
  if (name === 'data.reset' && !yesOrNo({ sure }, 'sure'))
    throw badFormat('Nothing was deleted. Confirm the reset.')
  return inUtc(sent)
}

/** Reads the fixtures of a form. @throws errors.request.bad_format (253) */
function readFixtures(sent: Parameters): Parameters {
  try {
    return JSON.parse(text<string>(sent, 'fixtures') ?? '')
  } catch (error) {
    throw badFormat(`The fixtures are not JSON: ${(error as Error).message}.`)
  }
}

/** Counts the added rows, or the released webhooks. */
function countIn(answer: unknown): { readonly count?: number } {
  const { loaded, released } = answer as {
    readonly loaded?: Readonly<Record<string, number>>
    readonly released?: number
  }
  const counts = loaded ? Object.values(loaded) : released === undefined ? [] : [released]
  return counts.length > 0 ? { count: counts.reduce((sum, each) => sum + each, 0) } : {}
}

/** Returns true if a visitor may delete the faults of all merchants: there are no others. */
const canDeleteAll = async ({ operator, dependencies }: ConsoleVisit): Promise<boolean> =>
  operator.merchantId === undefined || (await allMerchants(dependencies.database.db)).length === 1

async function show(
  visit: ConsoleVisit,
  of?: MerchantVisit,
  moved?: ClockMoved,
): Promise<ConsoleView> {
  const shown = partOf(visit, of)
  const allowed = allowedOperations(visit, shown.owner)
  const offers = (name: string) => allowed.some((each) => each === name)
  // The refused form may be one that this visitor has no page for.
  if (visit.refused && !offers(visit.refused.form)) throw noPage()
  const clock = await visit.dependencies.timeline.view(shown.owner.merchantId)
  const pair = (...parts: readonly (SafeHtml | null)[]) => html`<div class="half">${parts}</div>`
  return {
    title: of ? 'Test controls' : 'Test controls of all merchants',
    live: ['data', 'transactions', 'webhooks', 'requests'],
    now: clock.now,
    body: html`${moved && reportView(shown, moved)}
${offers('sandbox.normal') ? await switchedOn(shown, of, clock.mode) : null}
${offers('clock.advance') ? pair(await clockPart(shown, clock), await resultsPart(shown)) : null}
${pair(
  offers('faults.inject') ? await faultsPart(shown, await canDeleteAll(visit)) : null,
  of ? await sendingPart(of, shown) : null,
)}
${of ? (offers('data.reset') ? resetPart(shown) : null) : await snapshotsPart(shown)}`,
  }
}

/** Renders what is switched on, with the one button that switches it off. */
async function switchedOn(
  shown: Part,
  of: MerchantVisit | undefined,
  mode: string,
): Promise<SafeHtml> {
  const notes = [
    ...(mode === 'real' ? [] : [CLOCK_MODES[mode] ?? mode]),
    ...(await switchedOnNotes(shown.visit.dependencies, of?.merchant)),
  ]
  return notes.length === 0
    ? html`<p class="quiet" role="status">Everything is normal: real time, no forced results, no faults.</p>`
    : html`<div class="switched" role="status">${notes.map(
        (note) => html`<span class="is wait open">${note}</span>`,
      )}${press(shown, 'sandbox.normal', 'Back to normal')}</div>`
}
