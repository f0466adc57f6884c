import { Router } from 'express'
import type { RandomSource } from '../../domain/chance.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { readSeed } from '../../parsing/control/seed.ts'
import type { Database } from '../../storage/database.ts'
import { newestIds } from '../../storage/newest-ids.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface SeedControlDependencies {
  readonly chance: RandomSource
  readonly database: Database
}

/**
 * `/_control/seed`: makes tokens and references predictable while it is set, for everybody or for
 * one merchant. What is in the data already counts as a part of the seed: tokens are given out
 * once, so the same seed may be set again at any time, and by two merchants.
 */
export function seedControl({ chance, database }: SeedControlDependencies): Router {
  const router = Router()
  const show = (merchantId: number | undefined) => ({
    merchant_id: merchantId ?? null,
    seeded: chance.isSeeded(merchantId),
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
    const whose = merchantId === undefined ? [] : [`merchant ${merchantId}`]
    chance.seed(
      [...whose, seed, ...(await newestIds(database.db, merchantId))].join(' '),
      merchantId,
    )
    response.json(show(merchantId))
  })
  router.delete('/', (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    chance.seed(undefined, merchantId)
    response.json(show(merchantId))
  })
  return router
}
