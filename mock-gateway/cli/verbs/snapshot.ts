import { type RunVerb, UsageError } from './verb.ts'

interface Snapshot {
  readonly name: string
  readonly merchant_id: number | null
  readonly payments: number
  readonly saved_at: string
}

/**
 * `mondido-gateway snapshot save before-dunning`: of all merchants, or with `--merchant` of one.
 */
export const run: RunVerb = async ({ words: [action, name], flags }, { connect, show }) => {
  const isList = action === undefined || action === 'list'
  if (!isList && !isAction(action))
    throw new UsageError(`snapshot accepts save, restore, list and delete, not "${action}".`)
  if (isList && name !== undefined) throw new UsageError('snapshot list has no name.')
  if (!isList && name === undefined) throw new UsageError(`snapshot ${action} needs a name.`)
  const { control, merchant } = await connect()
  const owner = flags.merchant === undefined ? {} : { merchant_id: merchant.id }
  if (isList) {
    const { snapshots } = await control<{ readonly snapshots: readonly Snapshot[] }>(
      'GET',
      '/snapshots',
      owner,
    )
    const lines = snapshots.map((one) => `  ${one.saved_at}  ${one.name}, ${contentsOf(one)}`)
    show(snapshots, lines.length > 0 ? lines : ['No snapshot is saved.'])
    return 0
  }
  const path = `/snapshots/${encodeURIComponent(name ?? '')}`
  if (action === 'delete') {
    const left = await control('DELETE', path, owner)
    show(left, [`Deleted ${name}.`])
    return 0
  }
  const snapshot = await (action === 'save'
    ? control<Snapshot>('POST', '/snapshots', { ...owner, name })
    : control<Snapshot>('POST', `${path}/restore`, owner))
  show(snapshot, [`${DONE[action]} ${snapshot.name}: ${contentsOf(snapshot)}.`])
  return 0
}

const DONE = { save: 'Saved', restore: 'Restored' } as const

const isAction = (word: string): word is 'save' | 'restore' | 'delete' =>
  ['save', 'restore', 'delete'].includes(word)

const contentsOf = ({ merchant_id, payments }: Snapshot) =>
  `${payments} ${payments === 1 ? 'payment' : 'payments'} of ${merchant_id === null ? 'all merchants' : `merchant ${merchant_id}`}`
