import type { Changes } from '../domain/changes.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { COMMON } from '../storage/clocks.ts'
import { restoreRows } from '../storage/restore-snapshot.ts'
import {
  deleteNamedSnapshot,
  insertSnapshot,
  listSnapshots,
  SNAPSHOT_LIMITS,
} from '../storage/snapshots.ts'
import type { SnapshotRow } from '../storage/tables/snapshots.ts'
import type { ResetDependencies } from './reset.ts'

/** Dependencies for saving and restoring snapshots. */
export interface SnapshotDependencies extends ResetDependencies {
  /** Epoch milliseconds of the machine. */
  readonly machineNow: () => number
}

/** A snapshot, by its owner and its name. */
export interface SnapshotName {
  /** Undefined: a snapshot of all merchants. */
  readonly merchantId: number | undefined
  readonly name: string
}

/**
 * Saves the data of a merchant or of all merchants, with clocks, random seeds and the next ids.
 * Replaces a snapshot of the same name.
 * @throws GatewayError errors.request.bad_format (253): too many snapshots, too much data, or a
 *   clock is being moved
 */
export async function saveSnapshot(
  { database, chance, keptRequests, machineNow }: SnapshotDependencies,
  { merchantId, name }: SnapshotName,
): Promise<SnapshotRow> {
  await keptRequests.settle()
  const seeds = [...chance.positions()]
    .filter(([id]) => merchantId === undefined || id === merchantId)
    .map(([merchant_id, position]) => ({ merchant_id, ...position }))
  const saved = await insertSnapshot(database, {
    merchant_id: merchantId ?? COMMON,
    name,
    seeds,
    saved_at: machineNow(),
  })
  if (typeof saved !== 'string') return saved
  throw new GatewayError('errors.request.bad_format', { explain: REASONS[saved] })
}

const REASONS = {
  'too many': `There are ${SNAPSHOT_LIMITS.most} snapshots already. Delete one first.`,
  'too large': `A snapshot has at most ${SNAPSHOT_LIMITS.rows} rows, about 20,000 payments. Reset the data, or save one merchant.`,
  'clock moves': 'Another request is moving a clock. Wait for its answer, then save the snapshot.',
} as const

/**
 * Replaces the data of a merchant or of all merchants by those of a snapshot. Waits for webhooks
 * that are being sent; requests that run meanwhile are rejected when they write.
 * @param changes is told, so that open pages of the console show the restored data
 * @throws GatewayError errors.not_found (196) if there is no such snapshot;
 *   errors.request.bad_format (253) if a clock is being moved, or if other data have an id of the
 *   snapshot
 */
export async function restoreSnapshot(
  { database, timeline, chance, keptRequests, machineNow }: SnapshotDependencies,
  { merchantId, name }: SnapshotName,
  changes: Changes,
): Promise<SnapshotRow> {
  const known = await needSnapshot({ database }, { merchantId, name })
  let restored = known
  await keptRequests.forget(merchantId)
  await timeline.hold(merchantId, async () => {
    const found = await restoreRows(database, { merchantId, name, machineNow })
    if (found === 'ids taken')
      throw new GatewayError('errors.request.bad_format', { explain: IDS_TAKEN })
    restored = found ?? throwMissing(name)
    return restored.clocks
  })
  await keptRequests.forget(merchantId)
  if (merchantId === undefined) chance.clear()
  else chance.seed(undefined, merchantId)
  for (const { merchant_id, ...position } of restored.seeds) chance.seed(position, merchant_id)
  for (const topic of ['transactions', 'requests', 'webhooks', 'mails', 'data'] as const)
    changes.publish({ merchantId: merchantId ?? 'everybody', topic })
  return restored
}

const IDS_TAKEN =
  'Since a reset, other data have used ids of this snapshot. Nothing was restored. Reset the data of all merchants, then restore it.'

/**
 * Deletes a snapshot. The data stay as they are.
 * @throws GatewayError errors.not_found (196)
 */
export async function deleteSnapshot(
  { database }: Pick<SnapshotDependencies, 'database'>,
  { merchantId, name }: SnapshotName,
): Promise<void> {
  const isDeleted = await database.write((queries) =>
    deleteNamedSnapshot(queries, merchantId ?? COMMON, name),
  )
  if (!isDeleted) await needSnapshot({ database }, { merchantId, name })
}

async function needSnapshot(
  { database }: Pick<SnapshotDependencies, 'database'>,
  { merchantId, name }: SnapshotName,
): Promise<SnapshotRow> {
  const all = await listSnapshots(database.db, merchantId ?? COMMON)
  return all.find((snapshot) => snapshot.name === name) ?? throwMissing(name, all, merchantId)
}

function throwMissing(name: string, all: readonly SnapshotRow[] = [], merchantId?: number): never {
  const whose = merchantId === undefined ? 'all merchants' : `merchant ${merchantId}`
  const names = all.map((snapshot) => snapshot.name).join(', ')
  throw new GatewayError('errors.not_found', {
    explain: `There is no snapshot ${name} of ${whose}. ${names === '' ? 'No snapshot is saved.' : `Its snapshots are ${names}.`}`,
  })
}
