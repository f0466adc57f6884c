import { Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import { PRESETS } from '../../domain/presets.ts'
import {
  changeMerchant,
  createMerchant,
  fixedOf,
  type MerchantsDependencies,
  needMerchant,
  renewKeys,
} from '../../merchants/administer.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import { rotateSecrets } from '../../merchants/rotate.ts'
import {
  ROTATION_FIELDS,
  readMerchantChanges,
  readNewMerchant,
  readRotation,
} from '../../parsing/control/merchants.ts'
import { pickOnly, wholeNumber } from '../../parsing/control/read.ts'
import { wireTime } from '../../serializers/time.ts'
import { listMerchants } from '../../storage/merchants.ts'
import type { MerchantRow } from '../../storage/tables/merchants.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface MerchantControlDependencies extends MerchantsDependencies {
  readonly keys: KeyRing
}

/**
 * Serves `/_control/merchants`: lists merchants and settings, and creates merchants, for example
 * for each worker of a test suite.
 */
export function merchantControl({ keys, ...parts }: MerchantControlDependencies): Router {
  const router = Router()
  const present = (row: MerchantRow) => presentMerchant(row, fixedOf(parts, row.id))
  const idIn = (params: { readonly id: string }) => readId(params.id) ?? -1

  router.get('/', async (_request, response) => {
    const sent = pickOnly(exchangeOf(response).parameters, ['limit', 'offset'])
    const limit = wholeNumber(sent, 'limit', { least: 1, most: 1_000 }) ?? 100
    const offset = wholeNumber(sent, 'offset', { least: 0, most: 1_000_000_000 }) ?? 0
    response.json((await listMerchants(parts.database.db, { limit, offset })).map(presentLine))
  })
  router.post('/', async (_request, response) => {
    const { parameters, now } = exchangeOf(response)
    const { merchant, password } = await createMerchant(parts, readNewMerchant(parameters), now)
    response.json({ ...present(merchant), password, secret: merchant.secret })
  })
  router.get('/presets', (_request, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    response.json(Object.entries(PRESETS).map(([name, preset]) => ({ name, ...preset })))
  })
  router.get('/:id', async (request, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    response.json(present(await needMerchant(parts.database.db, idIn(request.params))))
  })
  router.put('/:id', async (request, response) => {
    const { parameters, now, service } = exchangeOf(response)
    const merchant = await changeMerchant(
      parts,
      idIn(request.params),
      readMerchantChanges(parameters),
      now,
    )
    service.changes.publish({ merchantId: merchant.id, topic: 'sessions' })
    response.json(present(merchant))
  })
  router.get('/:id/keys', async (request, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    const { id } = await needMerchant(parts.database.db, idIn(request.params))
    response.json({ public_key: (await keys.of(id)).publicKey })
  })
  router.post('/:id/keys', async (request, response) => {
    const { parameters, now } = exchangeOf(response)
    pickOnly(parameters, [])
    const id = idIn(request.params)
    await renewKeys(parts, id, now)
    response.json({ public_key: (await keys.of(id)).publicKey })
  })
  router.post('/:id/rotate', async (request, response) => {
    const { parameters, nowOf, service } = exchangeOf(response)
    const order = readRotation(pickOnly(parameters, ROTATION_FIELDS))
    const id = idIn(request.params)
    const { until, ...rotation } = await rotateSecrets(parts, id, order, nowOf(id))
    service.changes.publish({ merchantId: id, topic: 'sessions' })
    response.json({ id, ...rotation, previous_valid_until: wireTime(until) })
  })
  return router
}

type Line = Pick<MerchantRow, 'id' | 'name' | 'created_at' | 'updated_at'>

const presentLine = ({ id, name, created_at, updated_at }: Line) => ({
  id,
  name,
  created_at: wireTime(created_at),
  updated_at: wireTime(updated_at),
})

/** Leaves out password and secret, which are only returned once. */
const presentMerchant = (row: MerchantRow, fixed: object | undefined) => ({
  ...presentLine(row),
  given_at_start: fixed !== undefined,
  settings: row.settings,
  changed_settings: Object.keys(row.setting_changes),
  fixed_settings: Object.keys(fixed ?? {}),
})
