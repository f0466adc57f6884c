import { GatewayError } from '../../domain/errors/errors.ts'
import { FAULT_KINDS, FAULT_METHODS, readFault } from '../../parsing/control/faults.ts'
import { merchantWords } from './merchants.ts'
import { type FormFields, filledIn, orAgain, type Problem } from './refused-form.ts'
import { type Act, fieldsOf, idOf, type Page, textsOf, type View, type Visit } from './visit.ts'

/** Faults that many want, in plain words. */
const PRESETS = {
  'Be slow for a minute': { kind: 'latency', milliseconds: '3000', seconds: '60' },
  'Be out of service for a minute': { kind: 'unavailable', seconds: '60' },
  'Lose the answer to the next payment, which is made': { kind: 'drop', method: 'POST', path: '/v1/transactions' },
  'Refuse every tenth request, until it is deleted': { kind: 'unavailable', probability: '0.1', times: '0' },
} as const

/** What goes wrong with requests to come, of every merchant. */
export const FAULTS_PAGE: Page<Visit> = {
  path: '/faults',
  section: 'faults',
  show: (visit) => show(visit),
}

async function show(visit: Visit, problem: Problem | null = null): Promise<View> {
  const faults = await visit.dependencies.faults.list()
  return {
    view: 'faults',
    live: ['data', 'requests'],
    title: 'Faults',
    data: {
      presets: Object.entries(PRESETS).map(([words, fault]) => ({
        words,
        fields: Object.entries(fault).map(([name, value]) => ({ name, value })),
      })),
      ...filledIn(
        {
          ...FIELDS,
          merchant_id: { label: 'Merchant', kind: 'choice', words: [ALL, ...(await merchantWords(visit))] },
        },
        problem ? textsOf(visit.parameters, [...FAULT_NAMES, 'merchant_id']) : { ...EMPTY, merchant_id: '' },
        problem,
      ),
      faults: faults.map(
        ({ id, kind, milliseconds, method, path, merchant_id, times, until, probability, struck }) => ({
          id,
          kind: kind === 'latency' ? `latency of ${milliseconds} ms` : kind,
          requests: `${method ?? 'all methods'} ${path === null ? 'of all paths' : `${path}…`}`,
          merchant: merchant_id ?? 'all',
          probability,
          struck: lastsOf(struck, times, until),
        }),
      ),
    },
  }
}

const ALL = { choice: '', text: 'all' }

/** One more, as the control API takes it. */
const FIELDS = {
  kind: { label: 'Kind', kind: 'choice', choices: FAULT_KINDS },
  milliseconds: { label: 'Milliseconds', help: 'Of latency.', kind: 'number' },
  method: { label: 'Method', kind: 'choice', words: [ALL], choices: FAULT_METHODS },
  path: { label: 'Path begins with', help: 'Such as /v1/transactions. Empty: any.' },
  times: { label: 'Times', help: 'Empty: once. 0: until it is deleted.', kind: 'number' },
  seconds: { label: 'Seconds', help: 'In place of times: strikes every request for so long.', kind: 'number' },
  probability: { label: 'Probability', help: 'Below 1 it strikes the same requests for the same seed.' },
  seed: { label: 'Seed' },
} as const satisfies FormFields
const FAULT_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]
const EMPTY = textsOf({}, FAULT_NAMES)

/** How often it has struck, and when it ends. */
function lastsOf(struck: number, times: number | null, until: number | null): string {
  if (until !== null) return `${struck}, until ${new Date(until).toISOString().slice(11, 19)} of the machine`
  return times === null ? `${struck}, until it is deleted` : `${struck} of ${times}`
}

export const FAULT_ACTS: readonly Act<Visit>[] = [
  {
    path: '/faults',
    section: 'faults',
    act: (visit) =>
      orAgain(
        visit,
        async () => {
          await visit.dependencies.faults.add(readFault(fieldsOf(visit)))
          return { to: '/faults', done: 'waits' }
        },
        (problem) => show(visit, problem),
      ),
  },
  {
    path: '/faults/forget',
    async act({ dependencies }) {
      await dependencies.faults.clear()
      return { to: '/faults', done: 'forgotten' }
    },
  },
  {
    path: '/faults/:id/remove',
    async act(visit) {
      const id = idOf(visit)
      if (id !== undefined && (await visit.dependencies.faults.remove(id))) return { to: '/faults', done: 'removed' }
      throw new GatewayError('errors.not_found', { explain: 'No fault that still waits has this id' })
    },
  },
]
