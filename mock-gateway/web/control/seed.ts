import { Router } from 'express'
import { clearSeed, type SeedDependencies, setSeed } from '../../merchants/random-seeds.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { readSeed } from '../../parsing/control/seed.ts'
import { exchangeOf } from '../http/exchange.ts'

/** Serves `/_control/seed`: makes tokens and references predictable, for all merchants or one. */
export function seedControl(dependencies: SeedDependencies): Router {
  const router = Router()
  const show = (merchantId: number | undefined) => ({
    merchant_id: merchantId ?? null,
    seeded: dependencies.chance.isSeeded(merchantId),
  })

  router.get('/', (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(show(readMerchantId(parameters)))
  })
  router.post('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const seed = readSeed(parameters)
    const merchantId = readMerchantId(parameters)
    await setSeed(dependencies, seed, merchantId)
    response.json(show(merchantId))
  })
  router.delete('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    await clearSeed(dependencies, merchantId)
    response.json(show(merchantId))
  })
  return router
}
