import { badFormat } from '../../../domain/errors/errors.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { allMerchants } from '../../../storage/merchants.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { CLOCK_MODES, switchedOnNotes } from '../parts/menu.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { everybody, type OwnerOf, oneMerchant } from '../parts/owner.ts'
import type { Done } from '../sections.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  getFields,
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

/**
 * Creates the page of all test controls, and the action of its forms. Every form names an operation
 * of the control API.
 */
function createControls<Of extends ConsoleVisit>(findOwner: OwnerOf<Of>) {
  const createPart = (visit: Of): Part => ({ visit, owner: findOwner(visit) })
  const page: ConsolePage<Of> = { path, section, show: (visit) => show(createPart(visit)) }
  const action: FormAction<Of> = {
    path: `${path}/:operation`,
    section,
    act: (visit) => act(createPart(visit)),
    again: (visit, problem) =>
      show(createPart({ ...visit, refused: { form: nameIn(visit), problem } })),
  }
  return { page, action }
}

export const CONTROLS = createControls(oneMerchant)
export const ALL_CONTROLS = createControls(everybody)

/** File with the data of a merchant or of all, for the administrator. */
export const FIXTURES_PAGE: ConsolePage<ConsoleVisit> = {
  path: `${path}/fixtures.json`,
  section,
  async show(visit) {
    const content = JSON.stringify(await runFromForm(visit, 'fixtures.export'), null, 2)
    return { name: 'fixtures.json', type: 'application/json', content }
  },
}

const nameIn = ({ named: { operation = '' } }: ConsoleVisit): string => operation

async function act(of: Part): Promise<ConsoleRedirect | ConsoleView> {
  const { visit, owner } = of
  const name = nameIn(visit)
  if (!allowedOperations(visit, owner).some((each) => each === name)) throw noPage()
  const isAnyFault = name === 'faults.remove' && (await canDeleteAll(visit))
  const runner = isAnyFault ? { ...visit, merchant: undefined } : visit
  const sent = getFields(visit)
  const input = name === 'fixtures.load' ? readFixtures(sent) : inUtc(sent)
  const answer = (await runFromForm(runner, name, input)) as object
  return 'happened' in answer
    ? show(of, answer as ClockMoved)
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

async function show(of: Part, moved?: ClockMoved): Promise<ConsoleView> {
  const { visit, owner } = of
  const allowed = allowedOperations(visit, owner)
  const offers = (name: string) => allowed.some((each) => each === name)
  // The refused form may be one that this visitor has no page for.
  if (visit.refused && !offers(visit.refused.form)) throw noPage()
  const clock = await visit.dependencies.timeline.view(owner.merchantId)
  const pair = (...parts: readonly (SafeHtml | null)[]) => html`<div class="half">${parts}</div>`
  return {
    title: owner.merchant ? 'Test controls' : 'Test controls of all merchants',
    live: ['data', 'transactions', 'webhooks', 'requests'],
    now: clock.now,
    body: html`${moved && (await reportView(of, moved))}
${offers('sandbox.normal') ? await switchedOn(of, clock.mode) : null}
${offers('clock.advance') ? pair(await clockPart(of, clock), await resultsPart(of)) : null}
${pair(
  offers('faults.inject') ? await faultsPart(of, await canDeleteAll(visit)) : null,
  owner.merchant ? await sendingPart(of, owner.merchant) : null,
)}
${offers('snapshots.save') ? await snapshotsPart(of) : offers('data.reset') ? resetPart(of) : null}`,
  }
}

/** Renders what is switched on, with the one button that switches it off. */
async function switchedOn(of: Part, mode: string): Promise<SafeHtml> {
  const notes = [
    ...(mode === 'real' ? [] : [CLOCK_MODES[mode] ?? mode]),
    ...(await switchedOnNotes(of.visit.dependencies, of.owner.merchant)),
  ]
  return notes.length === 0
    ? html`<p class="quiet" role="status">Everything is normal: real time, no forced results, no faults.</p>`
    : html`<div class="switched" role="status">${notes.map(
        (note) => html`<span class="is wait open">${note}</span>`,
      )}${press(of, 'sandbox.normal', 'Back to normal')}</div>`
}
