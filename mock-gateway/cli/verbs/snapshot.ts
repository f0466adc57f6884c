import { type RunVerb, UsageError } from './verb.ts'

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
  if (isList || name === undefined) {
    const { snapshots } = await control.snapshots.list()
    const lines = snapshots.map((one) => `  ${one.saved_at}  ${one.name}, ${describeContents(one)}`)
    show(snapshots, lines.length > 0 ? lines : ['No snapshot is saved.'])
  } else if (action === 'delete')
    show(await control.snapshots.delete({ name }), [`Deleted ${name}.`])
  else {
    const snapshot = await control.snapshots[action]({ name })
    show(snapshot, [`${DONE[action]} ${snapshot.name}: ${describeContents(snapshot)}.`])
  }
  return 0
}

const DONE = { save: 'Saved', restore: 'Restored' } as const

const isAction = (word: string): word is 'save' | 'restore' | 'delete' =>
  ['save', 'restore', 'delete'].includes(word)

const describeContents = ({ payments }: { readonly payments: number }) =>
  `${payments} ${payments === 1 ? 'payment' : 'payments'}`
