import { GatewayError } from '../../domain/errors/errors.ts'
import { FAULT_KINDS, isTimed, FAULTS as KINDS } from '../../domain/fault-kinds.ts'
import { FAULT_METHODS, readFault } from '../../parsing/control/faults.ts'
import { html } from '../pages/html.ts'
import { emptyState } from './design/empty.ts'
import { formView, hiddenFields, tokenField } from './design/forms.ts'
import { merchantWords } from './merchants.ts'
import { everybody, type OwnerOf, oneMerchant } from './owner.ts'
import { type FormFields, filledIn, orAgain, type Problem } from './refused-form.ts'
import { type Act, fieldsOf, idOf, type Page, textsOf, type View, type Visit } from './visit.ts'

/** Faults that many want, in plain words. */
const PRESETS = {
  'Be slow for a minute': { kind: 'latency', milliseconds: '3000', seconds: '60' },
  'Be out of service for a minute': { kind: 'unavailable', seconds: '60' },
  'Lose the answer to the next payment, which is made': {
    kind: 'drop',
    method: 'POST',
    path: '/v1/transactions',
  },
  'Answer the next payment with the page of a proxy': {
    kind: 'bad_gateway',
    method: 'POST',
    path: '/v1/transactions',
  },
  'Answer the next payment ten seconds late': {
    kind: 'late_answer',
    milliseconds: '10000',
    method: 'POST',
    path: '/v1/transactions',
  },
  'Refuse every tenth request, until it is deleted': {
    kind: 'unavailable',
    probability: '0.1',
    times: '0',
  },
} as const

const ALL = { choice: '', text: 'all' }

/** One more, as the control API takes it. */
const FIELDS = {
  kind: { label: 'Kind', kind: 'choice', choices: FAULT_KINDS },
  milliseconds: { label: 'Milliseconds', help: 'Of latency and late_answer.', kind: 'number' },
  method: { label: 'Method', kind: 'choice', words: [ALL], choices: FAULT_METHODS },
  path: { label: 'Path begins with', help: 'Such as /v1/transactions. Empty: any.' },
  times: { label: 'Times', help: 'Empty: once. 0: until it is deleted.', kind: 'number' },
  seconds: {
    label: 'Seconds',
    help: 'Instead of times: affects every request for so many seconds.',
    kind: 'number',
  },
  probability: { label: 'Probability', help: 'Below 1, the same seed affects the same requests.' },
  seed: { label: 'Seed' },
} as const satisfies FormFields
const FAULT_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]
const EMPTY = textsOf({}, FAULT_NAMES)

/** Number of affected requests, and the end of the fault. */
function lastsOf(struck: number, times: number | null, until: number | null): string {
  if (until !== null)
    return `${struck}, until ${new Date(until).toISOString().slice(11, 19)} of the machine`
  return times === null ? `${struck}, until it is deleted` : `${struck} of ${times}`
}

/** What goes wrong with requests to come of a merchant, who sets it alone. */
export const FAULTS = faultsOf(oneMerchant)

/** The same for every merchant. */
export const FAULTS_OF_ALL = faultsOf(everybody)

function faultsOf<Who extends Visit>(ownerOf: OwnerOf<Who>) {
  async function show(visit: Who, problem: Problem | null = null): Promise<View> {
    const { merchantId, home } = ownerOf(visit)
    const faults = await visit.dependencies.faults.list(merchantId)
    const whose = {
      merchant_id: {
        label: 'Merchant',
        kind: 'choice',
        words: [ALL, ...(await merchantWords(visit))],
      },
    } as const
    const at = `${home}/faults`
    const token = tokenField(visit)
    const kinds = Object.entries(KINDS).map(([name, kind]) => ({ name, ...kind }))
    const heads = ['Id', 'Kind', 'Requests', 'Merchant', 'Probability', 'Struck']
    const rows = faults.map(
      ({
        id,
        kind,
        milliseconds,
        method,
        path,
        merchant_id,
        times,
        until,
        probability,
        struck,
      }) => ({
        id,
        cells: [
          id,
          isTimed(kind) ? `${kind} of ${milliseconds} ms` : kind,
          `${method ?? 'all methods'} ${path === null ? 'of all paths' : `${path}…`}`,
          merchant_id ?? 'all',
          probability,
          lastsOf(struck, times, until),
        ],
      }),
    )
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
      button: 'Add',
    })
    return {
      live: ['data', 'requests'],
      title: 'Faults',
      body: html`<p class="quiet">Faults affect coming requests, but never pages of the console.</p>
<ul class="quiet">${kinds.map((kind) => html`<li><code>${kind.name}</code>: ${kind.description}${kind.isCarriedOut ? null : '; the request is not carried out'}</li>`)}</ul>
${
  rows.length > 0
    ? html`<div class="wide"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<td></td></tr></thead>
<tbody>${rows.map(
        ({ id, cells }) => html`
<tr>${cells.map((text, index) => html`<td data-head="${heads[index]}">${text}</td>`)}<td data-head=""><form method="post" action="${at}/${id}/remove">${token}<button class="small">Delete</button></form></td></tr>`,
      )}
</tbody>
</table></div>
<form method="post" action="${at}/forget">${token}<button class="small">Delete all</button></form>`
    : emptyState('No faults are set.')
}
<h2>In plain words</h2>
<div class="presets">${Object.entries(PRESETS).map(([words, fault]) => html`<form method="post" action="${at}">${token}${hiddenFields(fault)}<button class="small">${words}</button></form>`)}</div>
<h2>One more</h2>
${form}`,
    }
  }

  const page: Page<Who> = { path: '/faults', section: 'faults', show: (visit) => show(visit) }
  const acts: readonly Act<Who>[] = [
    {
      path: '/faults',
      section: 'faults',
      act: (visit) =>
        orAgain(
          visit,
          async () => {
            const { merchantId } = ownerOf(visit)
            const own = merchantId === undefined ? {} : { merchant_id: String(merchantId) }
            await visit.dependencies.faults.add(readFault({ ...fieldsOf(visit), ...own }))
            return { to: '/faults', done: 'waits' }
          },
          (problem) => show(visit, problem),
        ),
    },
    {
      path: '/faults/forget',
      async act(visit) {
        await visit.dependencies.faults.clear(ownerOf(visit).merchantId)
        return { to: '/faults', done: 'forgotten' }
      },
    },
    {
      path: '/faults/:id/remove',
      async act(visit) {
        const { faults } = visit.dependencies
        const id = idOf(visit)
        const isThere = (await faults.list(ownerOf(visit).merchantId)).some(
          (fault) => fault.id === id,
        )
        if (id !== undefined && isThere && (await faults.remove(id)))
          return { to: '/faults', done: 'removed' }
        throw new GatewayError('errors.not_found', { explain: 'No pending fault has this id' })
      },
    },
  ]
  return { page, acts }
}
