import { listAllOperations, SUBJECTS } from '../../../operations/table.ts'
import { findAllMerchants } from '../../../storage/merchants.ts'
import { html } from '../../pages/html.ts'
import { renderCodeBlock } from '../../pages/messages.ts'
import { link } from '../parts/cells.ts'
import { formFields, renderOperationForm, runFromForm } from '../parts/operation-form.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import { type ConsoleRoute, type ConsoleView, type ConsoleVisit, noRow } from '../visit.ts'

const SENDING = ['webhooks.setSending', 'webhooks.hold', 'webhooks.release']
/** Operations that need the control API. */
const SANDBOX = [
  ...['clock.freeze', 'clock.set', 'clock.advance', 'clock.resume'],
  ...['payments.force', 'payments.unforce', 'captures.force', 'captures.unforce'],
  'sandbox.normal',
]
/** Operations of a merchant's page only if no other machine reaches the gateway. */
const LOCAL = ['faults.inject', 'faults.remove', 'faults.clear', 'data.reset']
/** Operations on the data of all merchants. A gateway's single merchant can also call them. */
const SNAPSHOTS = ['snapshots.save', 'snapshots.restore', 'snapshots.delete']

/**
 * Operations that run for all merchants if the gateway has only one: its page also shows what is set
 * without a merchant.
 */
export const FOR_ALL: readonly string[] = [
  ...['sandbox.normal', 'payments.unforce', 'captures.unforce', 'faults.remove', 'faults.clear'],
  ...SNAPSHOTS,
]

/** Returns true if a visitor may change the data of all merchants. */
export const ownsAll = async ({ operator, db }: ConsoleVisit): Promise<boolean> =>
  operator.merchantId === undefined || (await findAllMerchants(db)).length === 1

/** Lists the operations that a visitor may run on the page of test controls. */
export async function allowedOperations(visit: ConsoleVisit): Promise<readonly string[]> {
  const { dependencies, merchant } = visit
  if (!merchant) return [...SANDBOX, ...LOCAL, ...SNAPSHOTS, 'fixtures.load']
  if (dependencies.controlKey === undefined) return SENDING
  if (!dependencies.isLocal) return [...SENDING, ...SANDBOX]
  return [...SENDING, ...SANDBOX, ...LOCAL, ...((await ownsAll(visit)) ? SNAPSHOTS : [])]
}

const path = '/operations/:operation'

/** Pages with a form for every operation of the sandbox, for the administrator. */
export const OPERATION_PAGES: readonly ConsoleRoute<ConsoleVisit>[] = [
  { path: '/operations', show: list },
  { path, show: async (visit) => renderOne(visit) },
  {
    path,
    act: async (visit) => renderOne(visit, await runFromForm(visit, find(visit).name)),
    again: (visit, problem) =>
      renderOne({ ...visit, refused: { form: find(visit).name, problem } }),
  },
]

/** @throws errors.not_found (196) */
function find({ named: { operation = '' } }: ConsoleVisit) {
  const found = listAllOperations().find(({ name }) => name === operation)
  if (found) return found
  throw noRow('operation', operation)
}

type Row = ReturnType<typeof listAllOperations>[number] & { readonly subject: string }

const COLUMNS: readonly Column<Row>[] = [
  ['Operation', ({ name }, root) => link(name, `${root}/operations/${name}`), 'first'],
  ['Effect', ({ does }) => does, 'second'],
  ['Subject', ({ subject }) => subject],
]

async function list(visit: ConsoleVisit): Promise<ConsoleView> {
  const rows = SUBJECTS.flatMap(({ title, operations }) =>
    operations.map((operation) => ({ ...operation, subject: title })),
  )
  return {
    title: 'All operations',
    live: ['data', 'transactions'],
    body: html`<p class="quiet">Everything that the control API can do. <a href="${visit.root}/controls">Test controls</a> has the common ones.</p>
${renderTable(fill(COLUMNS, rows, visit.root))}`,
  }
}

function renderOne(visit: ConsoleVisit, answer?: unknown): ConsoleView {
  const operation = find(visit)
  const { name, does, details = '', whose, examples } = operation
  const { true: fields = [], false: more = [] } = Object.groupBy(
    Object.entries(formFields(operation)),
    ([, { isRequired }]) => `${isRequired === true}`,
  )
  const form = {
    ...{ name, path: `/operations/${name}`, button: 'Run', fields: Object.fromEntries(fields) },
    more: { ...Object.fromEntries(more), ...(whose !== 'none' && { merchant_id: OWNER }) },
  }
  return {
    title: name,
    body: html`<p class="quiet">${does}. ${details}</p>
${renderOperationForm(visit, form, { values: examples[0]?.input ?? {} })}
${answer === undefined ? null : html`<h2>Answer</h2>${renderCodeBlock(JSON.stringify(answer, null, 2))}`}`,
  }
}

const OWNER = {
  label: 'Merchant id',
  help: 'Empty: all merchants, or the first.',
  kind: 'number',
} as const
