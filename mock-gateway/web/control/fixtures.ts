import { Router } from 'express'
import { readFixtures } from '../../merchants/fixtures.ts'
import { exportFixtures, loadFixtures } from '../../merchants/load-fixtures.ts'
import { pickOnly, readMerchantId } from '../../requests/control/read.ts'
import type { Database } from '../../storage/database.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface FixturesControlDependencies {
  readonly database: Database
}

/** `/_control/fixtures`: what is in the data as a file, and a file into the data. */
export function fixturesControl({ database }: FixturesControlDependencies): Router {
  const router = Router()
  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(await exportFixtures(database, readMerchantId(parameters)))
  })
  router.post('/', async (_request, response) => {
    const { parameters, now, service } = exchangeOf(response)
    const { locale: _locale, ...file } = parameters
    response.json({
      loaded: await loadFixtures({ database, randomBytes: service.chance.randomBytes, now }, readFixtures(file)),
    })
  })
  return router
}
