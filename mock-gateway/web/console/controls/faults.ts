import { GatewayError } from '../../../domain/errors/errors.ts'
import { isTimed, FAULTS as KINDS } from '../../../domain/fault-kinds.ts'
import { FAULT_METHODS } from '../../../operations/faults.ts'
import { operationNamed } from '../../../operations/table.ts'
import type { FaultRow } from '../../../storage/tables/faults.ts'
import { hiddenFields, html } from '../../pages/html.ts'
import { cell } from '../parts/cell.ts'
import { plain } from '../parts/cells.ts'
import { emptyState } from '../parts/empty.ts'
import { type ConsoleProblem, filledIn, redisplayOnError } from '../parts/form-errors.ts'
import { buttonForm, formView, tokenField } from '../parts/forms.ts'
import { formOf, runFromForm } from '../parts/operation-form.ts'
import { everybody, type OwnerOf, oneMerchant } from '../parts/owner.ts'
import { merchantChoices, merchantWords } from '../settings/merchants.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  idOf,
  textsOf,
} from '../visit.ts'

const ALL = { choice: '', text: 'all' }

const INJECT = operationNamed('faults.inject')

/** Fields of a new fault. The first ones are in view. */
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
const FAULT_NAMES = Object.keys(FIELDS)
const EMPTY = textsOf({}, FAULT_NAMES)

/** Describes the requests that a fault can affect. */
export function requestsOf({ method, path, probability }: FaultRow): string {
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

/** Text at a fault that no merchant owns. */
const OF_ALL = 'Set for all merchants. The administrator can delete it.'

/** Places on a phone, by the heading of a column: see `Table`. */
const PLACES: Readonly<Record<string, string>> = {
  Kind: 'first',
  Requests: 'second',
  Affected: 'first-end',
}

/** Page of a merchant's faults. */
export const FAULTS = faultsOf(oneMerchant)

/** Page of the faults of all merchants. */
export const FAULTS_OF_ALL = faultsOf(everybody)

/** Returns true if a visitor may delete the faults of all merchants: there are no others. */
const canDeleteAll = async (visit: ConsoleVisit): Promise<boolean> =>
  visit.operator.merchantId === undefined || (await merchantChoices(visit)).length === 1

function faultsOf<Who extends ConsoleVisit>(ownerOf: OwnerOf<Who>) {
  async function show(visit: Who, problem: ConsoleProblem | null = null): Promise<ConsoleView> {
    const { merchantId, home, heads, cells } = ownerOf(visit)
    // Faults without a merchant affect this one too.
    const faults = (await visit.dependencies.faults.list()).filter(
      (fault) =>
        merchantId === undefined || fault.merchant_id === null || fault.merchant_id === merchantId,
    )
    const whose = {
      merchant_id: {
        label: 'Merchant',
        kind: 'choice',
        words: [ALL, ...(await merchantWords(visit))],
      },
    } as const
    const at = `${home}/faults`
    const deletesAll = await canDeleteAll(visit)
    const token = tokenField(visit)
    const allHeads = ['Id', 'Kind', 'Requests', ...heads, 'Affected']
    const rows = faults.map((fault) => ({
      id: fault.id,
      canDelete: deletesAll || fault.merchant_id === merchantId,
      cells: [
        plain(fault.id),
        {
          ...plain(isTimed(fault.kind) ? `${fault.kind} of ${fault.milliseconds} ms` : fault.kind),
          tone: 'bad' as const,
        },
        plain(requestsOf(fault)),
        ...cells({ merchantId: fault.merchant_id }),
        plain(affectedOf(fault)),
      ],
    }))
    const form = formView({
      formToken: visit.formToken,
      to: at,
      ...filledIn(
        merchantId === undefined ? { ...FIELDS, ...whose } : FIELDS,
        problem
          ? textsOf(visit.parameters, [...FAULT_NAMES, 'merchant_id'])
          : { ...EMPTY, merchant_id: '' },
        problem,
      ),
      button: 'Inject',
    })
    return {
      live: ['data', 'requests'],
      title: merchantId === undefined ? 'Faults of all merchants' : 'Faults',
      body: html`<p class="quiet">A fault delays, replaces or loses answers to the next requests.
Pages of the console are never affected.</p>
${
  rows.length > 0
    ? html`<section class="callout bad"><h2 class="first">Active faults</h2>
<div class="wide"><table class="compact">
<thead><tr>${allHeads.map((head) => html`<th scope="col">${head}</th>`)}<td></td></tr></thead>
<tbody>${rows.map(
        ({ id, canDelete, cells }) => html`
<tr>${cells.map(
          (each, index) =>
            html`<td data-head="${allHeads[index]}" class="${PLACES[allHeads[index] ?? '']}">${cell(each)}</td>`,
        )}
<td data-head="" class="second-end">${canDelete ? buttonForm(visit, `${at}/${id}/remove`, 'Delete') : OF_ALL}</td></tr>`,
      )}
</tbody>
</table></div>
${rows.length > 1 && rows.some(({ canDelete }) => canDelete) ? buttonForm(visit, `${at}/forget`, 'Delete all') : null}</section>`
    : emptyState(
        'No faults are set.',
        html`Press a common fault, or <a href="#other">choose another</a>. Then send a request.`,
      )
}
<h2>Common faults</h2>
<div class="choices">${INJECT.examples.map(
        ({ says, input }) =>
          html`<form method="post" action="${at}">${token}${hiddenFields(input)}
<button class="small">${says}</button></form>`,
      )}</div>
<h2 id="other">Another fault</h2>
${form}`,
    }
  }

  const page: ConsolePage<Who> = {
    path: '/faults',
    section: 'faults',
    show: (visit) => show(visit),
  }
  const acts: readonly FormAction<Who>[] = [
    {
      path: '/faults',
      section: 'faults',
      act: (visit) =>
        redisplayOnError(
          visit,
          async () => {
            await runFromForm(visit, INJECT.name, ownerOf(visit).merchantId)
            return { to: '/faults', done: 'fault_added' }
          },
          (problem) => show(visit, problem),
        ),
    },
    {
      path: '/faults/forget',
      async act(visit) {
        await visit.dependencies.faults.clear(ownerOf(visit).merchantId)
        return { to: '/faults', done: 'faults_deleted' }
      },
    },
    {
      path: '/faults/:id/remove',
      async act(visit) {
        const { faults } = visit.dependencies
        const id = idOf(visit)
        const { merchantId } = ownerOf(visit)
        const isThere = (
          await faults.list((await canDeleteAll(visit)) ? undefined : merchantId)
        ).some((fault) => fault.id === id)
        if (id !== undefined && isThere && (await faults.remove(id)))
          return { to: '/faults', done: 'removed' }
        throw new GatewayError('errors.not_found', { explain: 'No pending fault has this id.' })
      },
    },
  ]
  return { page, acts }
}
