import { allOperations, operationNamed, SUBJECTS } from '../../../operations/table.ts'
import { html } from '../../pages/html.ts'
import { link, plain } from '../parts/cells.ts'
import { codeBlock } from '../parts/code.ts'
import { factList } from '../parts/facts.ts'
import {
  type ConsoleProblem,
  type FormFields,
  filledIn,
  redisplayOnError,
} from '../parts/form-errors.ts'
import { formView, tokenField } from '../parts/forms.ts'
import { labelOf } from '../parts/lists.ts'
import { formOf, runFromForm } from '../parts/operation-form.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  noRow,
  textsOf,
} from '../visit.ts'

/** Pages with a form for every operation of the sandbox, for the administrator. */
export const OPERATION_PAGES: readonly ConsolePage<ConsoleVisit>[] = [
  { path: '/operations', section: 'operations', show: list },
  { path: '/operations/:operation', section: 'operations', show: async (visit) => one(visit) },
]

export const OPERATION_ACT: FormAction<ConsoleVisit> = {
  path: '/operations/:operation',
  section: 'operations',
  act: (visit) =>
    redisplayOnError(
      visit,
      async () => one(visit, { answer: await runFromForm(visit, find(visit).name, undefined) }),
      async (problem) => one(visit, { problem }),
    ),
}

/** @throws errors.not_found (196) */
function find({ named: { operation = '' } }: ConsoleVisit) {
  if (allOperations().some(({ name }) => name === operation)) return operationNamed(operation)
  throw noRow('operation', operation)
}

async function list(visit: ConsoleVisit): Promise<ConsoleView> {
  const state = await runFromForm(visit, 'sandbox.state', undefined, {})
  return {
    title: 'All operations',
    live: ['data', 'transactions'],
    body: html`<p class="quiet">Everything that the control API can do. To end all faults, forced outcomes and
holds, and to return clocks to real time, press the button.</p>
<form method="post" action="${visit.root}/operations/sandbox.normal">${tokenField(visit)}
<button>Back to normal</button></form>
<h2>Switched on now</h2>
${factList(
  Object.entries(state as object)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({ name: labelOf(name), ...plain(value) })),
)}
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
