import { Router } from 'express'
import { type ResetDependencies, reset } from '../../merchants/reset.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'

/** `/_control/reset`: as after the first start, for everybody or for one merchant. */
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
