import { Router } from 'express'
import {
  deleteSnapshot,
  restoreSnapshot,
  type SnapshotDependencies,
  saveSnapshot,
} from '../../merchants/snapshots.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { readSnapshotName } from '../../parsing/control/snapshots.ts'
import { wireTime } from '../../serializers/time.ts'
import { listSnapshots } from '../../storage/snapshots.ts'
import type { SnapshotRow } from '../../storage/tables/snapshots.ts'
import { exchangeOf } from '../http/exchange.ts'

/** `/_control/snapshots`: saves the data under a name, and restores them. */
export function snapshotControl(dependencies: Omit<SnapshotDependencies, 'machineNow'>): Router {
  const router = Router()
  const { database } = dependencies
  const show = async (merchantId: number | undefined) => ({
    snapshots: (await listSnapshots(database.db, merchantId)).map(presentSnapshot),
  })

  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(await show(readMerchantId(parameters)))
  })
  router.post('/', async (_request, response) => {
    const { parameters, service } = exchangeOf(response)
    const parts = { ...dependencies, machineNow: service.clocks.machine }
    response.json(presentSnapshot(await saveSnapshot(parts, readSnapshotName(parameters))))
  })
  router.post('/:name/restore', async ({ params: { name } }, response) => {
    const { parameters, service } = exchangeOf(response)
    const parts = { ...dependencies, machineNow: service.clocks.machine }
    const wanted = readSnapshotName(parameters, name)
    response.json(presentSnapshot(await restoreSnapshot(parts, wanted, service.changes)))
  })
  router.delete('/:name', async ({ params: { name } }, response) => {
    const wanted = readSnapshotName(exchangeOf(response).parameters, name)
    await deleteSnapshot(dependencies, wanted)
    response.json(await show(wanted.merchantId))
  })
  return router
}

const presentSnapshot = ({ name, merchant_id, payments, saved_at }: SnapshotRow) => ({
  name,
  merchant_id: merchant_id === 0 ? null : merchant_id,
  payments,
  saved_at: wireTime(saved_at),
})
