import { Router } from 'express'
import type { Database } from '../../storage/database.ts'

/** Dependencies of the health check. */
export interface HealthDependencies {
  readonly database: Database
  /** Version of the package. */
  readonly version: () => Promise<string>
}

/** Serves `/health`, after checking the database. */
export function createHealthRouter({ database, version }: HealthDependencies): Router {
  const router = Router()
  router.get('/health', async (_request, response) => {
    await database.ping()
    response.setHeader('Cache-Control', 'no-store, private')
    response.json({ status: 'ok', version: await version(), database: database.dialect })
  })
  return router
}
