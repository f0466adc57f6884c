import type { Changes } from '../domain/changes.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import {
  deleteNamedSnapshot,
  insertSnapshot,
  listSnapshots,
  MOST_SNAPSHOTS,
  restoreRows,
} from '../storage/snapshots.ts'
import type { SnapshotRow } from '../storage/tables/snapshots.ts'
import type { ResetDependencies } from './reset.ts'

/** Dependencies for saving and restoring snapshots. */
export interface SnapshotDependencies extends ResetDependencies {
  /** Epoch milliseconds of the machine. */
  readonly machineNow: () => number
}

/**
 * Saves the data of all merchants, with clocks, random seeds and the next ids. Replaces a snapshot
 * of the same name.
 * @throws GatewayError errors.request.bad_format (253): too many snapshots, or a clock is being
 *   moved
 */
export async function saveSnapshot(
  { database, chance, keptRequests, machineNow }: SnapshotDependencies,
  name: string,
): Promise<SnapshotRow> {
  await keptRequests.settle()
  const seeds = () =>
    [...chance.positions()].map(([merchant_id, position]) => ({ merchant_id, ...position }))
  const saved = await insertSnapshot(database, { name, seeds, saved_at: machineNow() })
  if (typeof saved !== 'string') return saved
  throw new GatewayError('errors.request.bad_format', { explain: REASONS[saved] })
}

const REASONS = {
  'too many': `There are ${MOST_SNAPSHOTS} snapshots already. Delete one first.`,
  'clock moves': 'Another request is moving a clock. Wait for its answer, then save the snapshot.',
} as const

/**
 * Replaces the data of all merchants by those of a snapshot. Waits for webhooks that are being
 * sent; requests that run meanwhile are rejected when they write.
 * @param changes is told, so that open pages of the console show the restored data
 * @throws GatewayError errors.not_found (196) if there is no such snapshot;
 *   errors.request.bad_format (253) if a clock is being moved
 */
export async function restoreSnapshot(
  { database, timeline, chance, keptRequests, machineNow }: SnapshotDependencies,
  name: string,
  changes: Changes,
): Promise<SnapshotRow> {
  let restored = await needSnapshot({ database }, name)
  await keptRequests.forget(undefined)
  await timeline.hold(undefined, async () => {
    restored = (await restoreRows(database, name, machineNow)) ?? throwMissing(name)
    return restored.clocks
  })
  await keptRequests.forget(undefined)
  chance.clear()
  for (const { merchant_id, ...position } of restored.seeds) chance.seed(position, merchant_id)
  for (const topic of ['transactions', 'requests', 'webhooks', 'mails', 'data'] as const)
    changes.publish({ merchantId: 'everybody', topic })
  return restored
}

/**
 * Deletes a snapshot. The data stay as they are.
 * @throws GatewayError errors.not_found (196)
 */
export async function deleteSnapshot(
  { database }: Pick<SnapshotDependencies, 'database'>,
  name: string,
): Promise<void> {
  await needSnapshot({ database }, name)
  await database.write((queries) => deleteNamedSnapshot(queries, database, name))
}

async function needSnapshot(
  { database }: Pick<SnapshotDependencies, 'database'>,
  name: string,
): Promise<SnapshotRow> {
  const all = await listSnapshots(database.db)
  return all.find((snapshot) => snapshot.name === name) ?? throwMissing(name, all)
}

function throwMissing(name: string, all: readonly SnapshotRow[] = []): never {
  const names = all.map((snapshot) => snapshot.name).join(', ')
  throw new GatewayError('errors.not_found', {
    explain: `There is no snapshot ${name}. ${names === '' ? 'No snapshot is saved.' : `The snapshots are ${names}.`}`,
  })
}
