import { badFormat } from '../../../domain/errors/errors.ts'
import { type Parameters, yesOrNo } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import type { ConsoleProblem } from '../parts/form-errors.ts'
import { buttonForm, tokenField } from '../parts/forms.ts'
import { CLOCK_MODES, switchedOnNotes } from '../parts/menu.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { everybody, type Owner, oneMerchant } from '../parts/owner.ts'
import { problemLine } from '../parts/problem.ts'
import type { Done } from '../sections.ts'
import { merchantChoices } from '../settings/merchants.ts'
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
import { clockPart, moveClock, moveIn, type Report, reportView } from './clock.ts'
import { readFixtures, resetPart, snapshotsPart } from './data.ts'
import { faultsPart } from './faults.ts'
import { allowedOperations } from './operations.ts'
import type { Part } from './part.ts'
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
      const fixtures = await runFromForm(visit, 'fixtures.export', undefined)
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
  again: (visit, problem) => show(visit, visit, { refused: { operation: nameIn(visit), problem } }),
}

export const ALL_CONTROL_ACT: FormAction<ConsoleVisit> = {
  path: `${path}/:operation`,
  section,
  act: (visit) => act(visit),
  again: (visit, problem) =>
    show(visit, undefined, { refused: { operation: nameIn(visit), problem } }),
}

const nameIn = ({ named: { operation = '' } }: ConsoleVisit): string => operation

/** @param of the visit of a merchant's page; undefined on the administrator's page */
const ownerOf = (visit: ConsoleVisit, of: MerchantVisit | undefined): Owner =>
  of ? oneMerchant(of) : everybody(visit)

async function act(
  visit: ConsoleVisit,
  of?: MerchantVisit,
): Promise<ConsoleRedirect | ConsoleView> {
  const name = nameIn(visit)
  const owner = ownerOf(visit, of)
  const move = moveIn(name)
  if (!isAllowed(visit, owner)) throw noPage()
  if (move) return show(visit, of, { report: await moveClock(visit, owner, move) })
  const isAnyFault = name === 'faults.remove' && (await canDeleteAll(visit))
  const merchantId = isAnyFault ? undefined : owner.merchantId
  const answer = await runFromForm(visit, name, merchantId, sentIn(visit, name))
  return { to: path, done: DONE_BY[name] ?? 'saved', ...countIn(answer) }
}

const isAllowed = (visit: ConsoleVisit, owner: Owner): boolean =>
  allowedOperations(visit, owner).some((each) => each === nameIn(visit))

/** Words of the sentence after each operation, if it is not "saved". */
const DONE_BY: Readonly<Record<string, Done>> = {
  'payments.force': 'outcome_added',
  'captures.force': 'outcome_added',
  'payments.unforce': 'outcomes_deleted',
  'captures.unforce': 'outcomes_deleted',
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
  const sent = fieldsOf(visit)
  if (name === 'fixtures.load') return readFixtures(sent)
  if (name !== 'data.reset') return sent
  const { sure, ...rest } = sent
  if (yesOrNo({ sure }, 'sure')) return rest
  throw badFormat('Nothing was deleted. Confirm the reset.')
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
const canDeleteAll = async (visit: ConsoleVisit): Promise<boolean> =>
  visit.operator.merchantId === undefined || (await merchantChoices(visit)).length === 1

async function show(
  visit: ConsoleVisit,
  of?: MerchantVisit,
  {
    report,
    refused = null,
  }: {
    readonly report?: Report
    readonly refused?: { readonly operation: string; readonly problem: ConsoleProblem } | null
  } = {},
): Promise<ConsoleView> {
  const owner = ownerOf(visit, of)
  const at = `${owner.home}${path}`
  const allowed = allowedOperations(visit, owner)
  // The refused form may be one that this visitor has no page for.
  if (refused && !isAllowed(visit, owner)) throw noPage()
  const offers = (name: string) => allowed.some((each) => each === name)
  const shown: Part = {
    owner,
    at,
    refused,
    problemOf: (operation) =>
      refused?.operation === operation ? problemLine(refused.problem) : null,
  }
  const clock = await visit.dependencies.timeline.view(owner.merchantId)
  const pair = (...parts: readonly (SafeHtml | null)[]) => html`<div class="half">${parts}</div>`
  return {
    title: of ? 'Test controls' : 'Test controls of all merchants',
    live: ['data', 'transactions', 'webhooks', 'requests'],
    now: report?.at ?? clock.now,
    body: html`${report && reportView(report, at, tokenField(visit))}
${offers('sandbox.normal') ? await switchedOn(visit, of, clock.mode, at) : null}
${
  offers('clock.advance')
    ? pair(await clockPart(visit, shown, clock), await resultsPart(visit, shown))
    : null
}
${pair(
  offers('faults.inject') ? await faultsPart(visit, shown, await canDeleteAll(visit)) : null,
  of ? await sendingPart(of, shown) : null,
)}
${of ? (offers('data.reset') ? resetPart(visit, shown) : null) : await snapshotsPart(visit, shown)}`,
  }
}

/** Renders what is switched on, with the one button that switches it off. */
async function switchedOn(
  visit: ConsoleVisit,
  of: MerchantVisit | undefined,
  mode: string,
  at: string,
): Promise<SafeHtml> {
  const notes = [
    ...(mode === 'real' ? [] : [CLOCK_MODES[mode] ?? mode]),
    ...(await switchedOnNotes(visit.dependencies, of?.merchant)),
  ]
  return notes.length === 0
    ? html`<p class="quiet" role="status">Everything is normal: real time, no forced results, no faults.</p>`
    : html`<div class="switched" role="status">${notes.map(
        (note) => html`<span class="is wait open">${note}</span>`,
      )}${buttonForm(visit, `${at}/sandbox.normal`, 'Back to normal')}</div>`
}
