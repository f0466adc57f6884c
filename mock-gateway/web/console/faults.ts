import { GatewayError } from '../../domain/errors/errors.ts'
import { FAULT_KINDS, FAULT_METHODS, readFault } from '../../requests/control/faults.ts'
import { merchantChoices } from './merchants.ts'
import { type Act, fieldsOf, idOf, type Page, type Visit } from './visit.ts'

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
  async show(visit) {
    const faults = await visit.dependencies.faults.list()
    return {
      view: 'faults',
      title: 'Faults',
      data: {
        presets: Object.entries(PRESETS).map(([words, fault]) => ({
          words,
          fields: Object.entries(fault).map(([name, value]) => ({ name, value })),
        })),
        kinds: FAULT_KINDS,
        methods: FAULT_METHODS,
        merchants: await merchantChoices(visit),
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
  },
}

/** How often it has struck, and when it ends. */
function lastsOf(struck: number, times: number | null, until: number | null): string {
  if (until !== null) return `${struck}, until ${new Date(until).toISOString().slice(11, 19)} of the machine`
  return times === null ? `${struck}, until it is deleted` : `${struck} of ${times}`
}

export const FAULT_ACTS: readonly Act<Visit>[] = [
  {
    path: '/faults',
    async act(visit) {
      await visit.dependencies.faults.add(readFault(fieldsOf(visit)))
      return { to: '/faults', done: 'waits' }
    },
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
