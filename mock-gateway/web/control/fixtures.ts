import { Router } from 'express'
import { readFixtures } from '../../merchants/fixtures.ts'
import { exportFixtures, loadFixtures } from '../../merchants/load-fixtures.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import type { Database } from '../../storage/database.ts'
import type { NewTemplateRow } from '../../storage/tables/templates.ts'
import type { Templates } from '../../templates/templates.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface FixturesControlDependencies {
  readonly database: Database
  readonly templates: Templates
}

/** Serves `/_control/fixtures`: exports the data as a file, and imports a file. */
export function fixturesControl({ database, templates }: FixturesControlDependencies): Router {
  const router = Router()
  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(await exportFixtures(database, readMerchantId(parameters)))
  })
  router.post('/', async (_request, response) => {
    const { parameters, now, service } = exchangeOf(response)
    const { locale: _locale, ...file } = parameters
    const parts = {
      database,
      randomBytes: service.chance.randomBytes,
      now,
      checkTemplate: (row: NewTemplateRow) => templates.checkTemplate(database.db, row),
    }
    response.json(await loadFixtures(parts, readFixtures(file)))
  })
  return router
}
