import { formatDuration } from '../../../domain/duration-text.ts'
import { isTimed, FAULTS as KINDS } from '../../../domain/fault-kinds.ts'
import { FAULT_METHODS } from '../../../operations/faults.ts'
import { getOperation } from '../../../operations/table.ts'
import type { FaultRow } from '../../../storage/tables/sandbox.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { labelChoices } from '../parts/forms.ts'
import { isFor } from '../parts/menu.ts'
import { renderFoldedForm } from '../parts/operation-form.ts'
import { merchantChoices } from '../settings/merchants.ts'
import type { ConsoleVisit } from '../visit.ts'
import { renderPart, renderPress } from './part.ts'

const FORM = {
  ...{ name: 'faults.inject', path: '/controls/faults.inject', button: 'Inject' },
  fields: {
    kind: {
      label: 'The client receives',
      choices: Object.fromEntries(
        Object.entries(KINDS).map(([kind, { description, isCarriedOut }]) => [
          kind,
          `${kind}: ${description}${isCarriedOut ? '' : ', without effect'}`,
        ]),
      ),
    },
    milliseconds: {},
    path: { label: 'Path begins with' },
    method: { choices: { '': 'all', ...labelChoices(FAULT_METHODS) } },
    times: {},
  },
  more: { seconds: {}, probability: {}, seed: { label: 'Random seed' } },
}

function describeRequests({ method, path, probability }: FaultRow): string {
  const share = probability === 1 ? '' : `${Number((100 * probability).toPrecision(6))} % of `
  if (method === null && path === null) return `${share}all requests`
  return `${share}${[method, path && `${path}…`].filter((each) => each !== null).join(' ')}`
}

function describeAffected({ struck, times, until }: FaultRow): string {
  if (until !== null)
    return `${struck} so far, until ${new Date(until).toISOString().slice(11, 19)} UTC`
  if (times === null) return `${struck} so far, until it is deleted`
  return `next ${times === 1 ? 'answer' : `${times} answers`}, ${struck} so far`
}

/** Names what the client receives: `3 s late, processed on time`. */
function describeEffect({ kind, milliseconds }: FaultRow): string {
  const text = KINDS[kind].description
  return isTimed(kind)
    ? text.replace('a late answer', `${formatDuration(milliseconds)} late`)
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Renders the active faults, and a button for each example of the operation. */
export async function faultsPart(visit: ConsoleVisit, deletesAll: boolean): Promise<SafeHtml> {
  const { merchant, dependencies } = visit
  // Faults without a merchant affect this one too.
  const faults = (await dependencies.faults.list()).filter(isFor(merchant))
  const choices = { '': 'all', ...(await merchantChoices(visit)) }
  const owned = merchant === undefined ? { merchant_id: { label: 'Merchant', choices } } : {}
  const canDelete = (fault: FaultRow) => deletesAll || fault.merchant_id === merchant?.id
  return renderPart(
    visit,
    'Faults',
    { 'faults.inject': null, 'faults.clear': {} },
    html`${
      faults.length > 0
        ? html`<ul class="rows">${faults.map(
            (fault) => html`
<li><span><span class="is waiting">${describeEffect(fault)}</span>
<small>${describeRequests(fault)}, ${describeAffected(fault)}${
              merchant === undefined && fault.merchant_id !== null
                ? `, merchant ${fault.merchant_id}`
                : null
            }</small></span>
${
  canDelete(fault)
    ? renderPress(visit, 'faults.remove', 'Delete', { id: fault.id })
    : html`<span class="quiet">set for all merchants</span>`
}</li>`,
          )}</ul>
${faults.filter(canDelete).length > 1 ? renderPress(visit, 'faults.clear', 'Delete all faults') : null}`
        : html`<p class="quiet">No fault is set: every request gets its answer.</p>`
    }
<h3 class="quiet">Add a fault with one press</h3>
<div class="row">${getOperation(FORM.name).examples.map(({ says, input }) =>
      renderPress(visit, FORM.name, says, input),
    )}</div>
${renderFoldedForm(visit, 'Another fault', { ...FORM, fields: { ...owned, ...FORM.fields } })}`,
  )
}
