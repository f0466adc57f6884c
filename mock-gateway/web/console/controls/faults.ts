import { isTimed, FAULTS as KINDS } from '../../../domain/fault-kinds.ts'
import { FAULT_METHODS } from '../../../operations/faults.ts'
import { operationNamed } from '../../../operations/table.ts'
import type { FaultRow } from '../../../storage/tables/faults.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { asCommand, commandOf } from '../parts/command.ts'
import { type FormFields, filledIn } from '../parts/form-errors.ts'
import { buttonForm, formView, tokenField } from '../parts/forms.ts'
import { formOf } from '../parts/operation-form.ts'
import { merchantWords } from '../settings/merchants.ts'
import { type ConsoleVisit, textsOf } from '../visit.ts'
import { type Part, part } from './part.ts'

const INJECT = operationNamed('faults.inject')
const ALL = { choice: '', text: 'all' }

const FIELDS = formOf(INJECT, {
  kind: {
    label: 'The client receives',
    choices: [],
    words: Object.entries(KINDS).map(([choice, { description, isCarriedOut }]) => ({
      choice,
      text: `${choice}: ${description}${isCarriedOut ? '' : ', without effect'}`,
    })),
  },
  milliseconds: { usual: null },
  path: { label: 'Path begins with', usual: null },
  method: { words: [ALL], choices: FAULT_METHODS },
  times: { usual: null },
  seed: { label: 'Random seed' },
})

/** Describes the requests that a fault can affect. */
function requestsOf({ method, path, probability }: FaultRow): string {
  const share = probability === 1 ? '' : `${Number((100 * probability).toPrecision(6))} % of `
  if (method === null && path === null) return `${share}all requests`
  return `${share}${[method, path && `${path}…`].filter((each) => each !== null).join(' ')}`
}

/** Describes the number of affected requests, and the end of the fault. */
function affectedOf({ struck, times, until }: FaultRow): string {
  if (until !== null)
    return `${struck} so far, until ${new Date(until).toISOString().slice(11, 19)} UTC`
  return times === null ? `${struck} so far, until it is deleted` : `${struck} of ${times}`
}

/** Renders the active faults, and a button for each example of the operation. */
export async function faultsPart(
  visit: ConsoleVisit,
  { owner, at, refused }: Part,
  deletesAll: boolean,
): Promise<SafeHtml> {
  const { merchantId } = owner
  // Faults without a merchant affect this one too.
  const faults = (await visit.dependencies.faults.list()).filter(
    (fault) =>
      merchantId === undefined || fault.merchant_id === null || fault.merchant_id === merchantId,
  )
  const whose: FormFields =
    merchantId === undefined
      ? {
          merchant_id: {
            label: 'Merchant',
            kind: 'choice',
            words: [ALL, ...(await merchantWords(visit))],
          },
        }
      : {}
  const fields: FormFields = { ...FIELDS, ...whose }
  const problem = refused?.operation === INJECT.name ? refused.problem : null
  const written = textsOf(problem ? visit.parameters : {}, Object.keys(fields))
  const canDelete = (fault: FaultRow) => deletesAll || fault.merchant_id === merchantId
  const [example] = INJECT.examples
  return part(
    'Faults',
    asCommand(
      ...(example ? [commandOf('faults.inject', example.input, merchantId)] : []),
      commandOf('faults.clear', {}, merchantId),
    ),
    html`${
      faults.length > 0
        ? html`<ul class="rows">${faults.map(
            (fault) => html`
<li><span><span class="is wait open">${KINDS[fault.kind].description}${
              isTimed(fault.kind) ? `, ${fault.milliseconds} ms` : null
            }</span>
<small>${requestsOf(fault)}, ${affectedOf(fault)}${
              owner.heads.length > 0 && fault.merchant_id !== null
                ? `, merchant ${fault.merchant_id}`
                : null
            }</small></span>
${
  canDelete(fault)
    ? html`<form method="post" action="${at}/faults.remove">${tokenField(visit)}${hiddenFields({ id: fault.id })}
<button class="small">Delete</button></form>`
    : html`<span class="quiet">set for all merchants</span>`
}</li>`,
          )}</ul>
${faults.filter(canDelete).length > 1 ? buttonForm(visit, `${at}/faults.clear`, 'Delete all faults') : null}`
        : html`<p class="quiet">No fault is set: every request gets its answer.</p>`
    }
<h3>Add a fault with one press</h3>
<div class="btns">${INJECT.examples.map(
      ({ says, input }) =>
        html`<form method="post" action="${at}/faults.inject">${tokenField(visit)}${hiddenFields(input)}
<button class="small">${says}</button></form>
`,
    )}</div>
<details${problem ? html` open` : null}><summary>Another fault</summary>
${formView({ formToken: visit.formToken, to: `${at}/${INJECT.name}`, ...filledIn(fields, written, problem), button: 'Inject' })}
</details>`,
  )
}
