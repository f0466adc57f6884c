import { Router } from 'express'
import type { Chance } from '../../domain/chance.ts'
import type { NextOutcomes } from '../../payments/next-outcomes.ts'
import { pickOnly, readMerchantId } from '../../requests/control/read.ts'
import type { Database } from '../../storage/database.ts'
import { resetData } from '../../storage/reset.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Faults } from '../http/faults.ts'

export interface ResetControlParts {
  readonly database: Database
  readonly timeline: Timeline
  readonly nextOutcomes: NextOutcomes
  readonly chance: Chance
  readonly faults: Faults
}

/** `/_control/reset`: as after the first start, for everybody or for one merchant. Merchants and their keys stay. */
export function resetControl({ database, timeline, nextOutcomes, chance, faults }: ResetControlParts): Router {
  const router = Router()
  router.post('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    await timeline.letGo(merchantId, () => resetData(database, merchantId))
    nextOutcomes.clear(merchantId)
    faults.clear(merchantId)
    if (merchantId === undefined) chance.seed(undefined)
    response.json({ merchant_id: merchantId ?? null, reset: true })
  })
  return router
}
