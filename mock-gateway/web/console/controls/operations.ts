import { allOperations, operationNamed, SUBJECTS } from '../../../operations/table.ts'
import { html } from '../../pages/html.ts'
import { codeBlock } from '../parts/cell.ts'
import { link, plain } from '../parts/cells.ts'
import { formFields, operationForm, runFromForm } from '../parts/operation-form.ts'
import type { Owner } from '../parts/owner.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  noRow,
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
  act: async (visit) => one(visit, await runFromForm(visit, find(visit).name)),
  again: (visit, problem) => one({ ...visit, refused: { form: find(visit).name, problem } }),
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

function one(visit: ConsoleVisit, answer?: unknown): ConsoleView {
  const operation = find(visit)
  const { name, does, details = '', whose, examples } = operation
  const all = Object.entries(formFields(operation))
  const rows = (isRequired: boolean) =>
    Object.fromEntries(all.filter(([, field]) => Boolean(field.isRequired) === isRequired))
  const form = {
    ...{ name, path: `/operations/${name}`, button: 'Run' },
    fields: rows(true),
    more: { ...rows(false), ...(whose !== 'none' && { merchant_id: OWNER }) },
  }
  return {
    title: name,
    body: html`<p class="quiet">${does}. ${details}</p>
${operationForm(visit, form, { values: examples[0]?.input ?? {} })}
${
  answer === undefined ? null : html`<h2>Answer</h2>${codeBlock(JSON.stringify(answer, null, 2))}`
}`,
  }
}

const OWNER = {
  label: 'Merchant id',
  help: 'Empty: all merchants, or the first.',
  kind: 'number',
} as const
