import { Router } from 'express'
import type { Chance } from '../../domain/chance.ts'
import { pickOnly, readMerchantId } from '../../requests/control/read.ts'
import type { Database } from '../../storage/database.ts'
import { resetData } from '../../storage/reset.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface ResetControlParts {
  readonly database: Database
  readonly timeline: Timeline
  readonly chance: Chance
}

/** `/_control/reset`: as after the first start, for everybody or for one merchant. Merchants and their keys stay. */
export function resetControl({ database, timeline, chance }: ResetControlParts): Router {
  const router = Router()
  router.post('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    await timeline.letGo(merchantId, () => resetData(database, merchantId))
    if (merchantId === undefined) chance.clear()
    else chance.seed(undefined, merchantId)
    response.json({ merchant_id: merchantId ?? null, reset: true })
  })
  return router
}
