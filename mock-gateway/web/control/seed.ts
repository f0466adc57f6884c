import { Router } from 'express'
import type { Chance } from '../../domain/chance.ts'
import { pickOnly } from '../../requests/control/read.ts'
import { readSeed } from '../../requests/control/seed.ts'
import type { Database } from '../../storage/database.ts'
import { newestIds } from '../../storage/newest-ids.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface SeedControlParts {
  readonly chance: Chance
  readonly database: Database
}

/**
 * `/_control/seed`: makes tokens and references predictable while it is set. What is in the data already counts as a
 * part of the seed: tokens are given out once, so the same seed may be set again at any time.
 */
export function seedControl({ chance, database }: SeedControlParts): Router {
  const router = Router()
  const show = () => ({ seeded: chance.isSeeded() })

  router.get('/', (_request, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    response.json(show())
  })
  router.post('/', async (_request, response) => {
    const seed = readSeed(exchangeOf(response).parameters)
    chance.seed([seed, ...(await newestIds(database.db))].join(' '))
    response.json(show())
  })
  router.delete('/', (_request, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    chance.seed(undefined)
    response.json(show())
  })
  return router
}
