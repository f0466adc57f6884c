import { type RunVerb, UsageError } from './verb.ts'

interface Snapshot {
  readonly name: string
  readonly payments: number
  readonly saved_at: string
}

/** `mondido-gateway snapshot save before-dunning`: the data of all merchants. */
export const run: RunVerb = async ({ words: [action, name], flags }, { connect, show }) => {
  const isList = action === undefined || action === 'list'
  if (!isList && !isAction(action))
    throw new UsageError(`snapshot accepts save, restore, list and delete, not "${action}".`)
  if (isList && name !== undefined) throw new UsageError('snapshot list has no name.')
  if (!isList && name === undefined) throw new UsageError(`snapshot ${action} needs a name.`)
  if (flags.merchant !== undefined)
    throw new UsageError('A snapshot contains the data of all merchants. Leave --merchant out.')
  const { control } = await connect()
  if (isList) {
    const { snapshots } = await control<{ readonly snapshots: readonly Snapshot[] }>(
      'GET',
      '/snapshots',
    )
    const lines = snapshots.map((one) => `  ${one.saved_at}  ${one.name}, ${contentsOf(one)}`)
    show(snapshots, lines.length > 0 ? lines : ['No snapshot is saved.'])
    return 0
  }
  const path = `/snapshots/${encodeURIComponent(name ?? '')}`
  if (action === 'delete') {
    const left = await control('DELETE', path)
    show(left, [`Deleted ${name}.`])
    return 0
  }
  const snapshot = await (action === 'save'
    ? control<Snapshot>('POST', '/snapshots', { name })
    : control<Snapshot>('POST', `${path}/restore`))
  show(snapshot, [`${DONE[action]} ${snapshot.name}: ${contentsOf(snapshot)}.`])
  return 0
}

const DONE = { save: 'Saved', restore: 'Restored' } as const

const isAction = (word: string): word is 'save' | 'restore' | 'delete' =>
  ['save', 'restore', 'delete'].includes(word)

const contentsOf = ({ payments }: Snapshot) =>
  `${payments} ${payments === 1 ? 'payment' : 'payments'}`
