import { Router } from 'express'
import { type ResetDependencies, reset } from '../../merchants/reset.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'

/** Serves `/_control/reset`: restores the state of the first start, for all merchants or one. */
export function resetControl(dependencies: ResetDependencies): Router {
  const router = Router()
  router.post('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    await reset(dependencies, merchantId)
    response.json({ merchant_id: merchantId ?? null, reset: true })
  })
  return router
}
