import { GatewayError } from '../../domain/errors/errors.ts'
import { FAULT_KINDS, FAULT_METHODS, readFault } from '../../requests/control/faults.ts'
import { merchantChoices } from './merchants.ts'
import { type Act, fieldsOf, idOf, type Page, type Visit } from './visit.ts'

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
        kinds: FAULT_KINDS,
        methods: FAULT_METHODS,
        merchants: await merchantChoices(visit),
        faults: faults.map(({ id, kind, milliseconds, method, path, merchant_id, times, probability, struck }) => ({
          id,
          kind: kind === 'latency' ? `latency of ${milliseconds} ms` : kind,
          requests: `${method ?? 'all methods'} ${path === null ? 'of all paths' : `${path}…`}`,
          merchant: merchant_id ?? 'all',
          probability,
          struck: times === null ? `${struck}, until it is deleted` : `${struck} of ${times}`,
        })),
      },
    }
  },
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
