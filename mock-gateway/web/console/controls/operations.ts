import { allOperations, operationNamed, SUBJECTS } from '../../../operations/table.ts'
import { html } from '../../pages/html.ts'
import { codeBlock } from '../parts/cell.ts'
import { link, plain } from '../parts/cells.ts'
import { type ConsoleProblem, type FormFields, filledIn } from '../parts/form-errors.ts'
import { formView } from '../parts/forms.ts'
import { formOf, runFromForm } from '../parts/operation-form.ts'
import type { Owner } from '../parts/owner.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  noRow,
  textsOf,
} from '../visit.ts'

/** Operations of the page of a merchant, of one that only this machine reaches, and of the administrator. */
const SENDING = ['webhooks.setSending', 'webhooks.hold', 'webhooks.release'] as const
const SANDBOX = [
  ...(['clock.freeze', 'clock.set', 'clock.advance', 'clock.resume'] as const),
  ...(['payments.force', 'payments.unforce', 'captures.force', 'captures.unforce'] as const),
  'sandbox.normal',
] as const
const LOCAL = ['faults.inject', 'faults.remove', 'faults.clear', 'data.reset'] as const
const SNAPSHOTS = [
  'snapshots.save',
  'snapshots.restore',
  'snapshots.delete',
  'fixtures.load',
] as const

export type ControlOperation = (
  | typeof SENDING
  | typeof SANDBOX
  | typeof LOCAL
  | typeof SNAPSHOTS
)[number]

/** Lists the operations that a visitor may run on the page of test controls. */
export function allowedOperations(
  { dependencies: { controlKey, isLocal } }: ConsoleVisit,
  { merchantId }: Owner,
): readonly ControlOperation[] {
  if (merchantId === undefined) return [...SANDBOX, ...LOCAL, ...SNAPSHOTS]
  if (controlKey === undefined) return SENDING
  return [...SENDING, ...SANDBOX, ...(isLocal ? LOCAL : [])]
}

/** Pages with a form for every operation of the sandbox, for the administrator. */
export const OPERATION_PAGES: readonly ConsolePage<ConsoleVisit>[] = [
  { path: '/operations', section: 'operations', show: list },
  { path: '/operations/:operation', section: 'operations', show: async (visit) => one(visit) },
]

export const OPERATION_ACT: FormAction<ConsoleVisit> = {
  path: '/operations/:operation',
  section: 'operations',
  act: async (visit) =>
    one(visit, { answer: await runFromForm(visit, find(visit).name, undefined) }),
  again: (visit, problem) => one(visit, { problem }),
}

/** @throws errors.not_found (196) */
function find({ named: { operation = '' } }: ConsoleVisit) {
  if (allOperations().some(({ name }) => name === operation)) return operationNamed(operation)
  throw noRow('operation', operation)
}

async function list(visit: ConsoleVisit): Promise<ConsoleView> {
  return {
    title: 'All operations',
    live: ['data', 'transactions'],
    body: html`<p class="quiet">Everything that the control API can do. <a href="${visit.root}/controls">Test controls</a> has the common ones.</p>
${SUBJECTS.map(
  ({ title, operations }) => html`<h2>${title}</h2>
${table({
  heads: ['Operation', 'Effect'],
  places: ['first', 'second'],
  rows: operations.map(({ name, does }) => [
    link(name, `${visit.root}/operations/${name}`),
    plain(does),
  ]),
})}`,
)}`,
  }
}

function one(
  visit: ConsoleVisit,
  done: { readonly problem?: ConsoleProblem; readonly answer?: unknown } = {},
): ConsoleView {
  const operation = find(visit)
  const { name, does, details = '', whose, examples } = operation
  const owner = whose === 'none' ? {} : { merchant_id: OWNER }
  const fields: FormFields = { ...formOf(operation, {}), ...owner }
  const [first] = examples
  const written = done.problem ? visit.parameters : (first?.input ?? {})
  const form = formView({
    formToken: visit.formToken,
    to: `${visit.root}/operations/${name}`,
    ...filledIn(fields, textsOf(written, Object.keys(fields)), done.problem ?? null),
    button: 'Run',
  })
  return {
    title: name,
    body: html`<p class="quiet">${does}. ${details}</p>
${form}
${
  done.answer === undefined
    ? null
    : html`<h2>Answer</h2>${codeBlock(JSON.stringify(done.answer, null, 2))}`
}
<p><a href="${visit.root}/operations">All operations</a></p>`,
  }
}

const OWNER = {
  label: 'Merchant id',
  help: 'Empty: all merchants, or the first.',
  kind: 'number',
} as const
