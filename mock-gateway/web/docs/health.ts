import { readFile } from 'node:fs/promises'
import { Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Database } from '../../storage/database.ts'

/** What a gateway says of itself to who starts it or watches it. */
export interface HealthDependencies {
  readonly addresses: Addresses
  readonly database: Database
  /** Of the package. */
  readonly version: () => Promise<string>
}

/** The version of a package, from its package.json. */
export const versionIn = async (file: URL): Promise<string> => JSON.parse(await readFile(file, 'utf8')).version

/** `/` leads people to the documentation; `/health` answers programs, once the database does. */
export function healthRouter({ addresses, database, version }: HealthDependencies): Router {
  const router = Router()
  router.use((request, response, next) => {
    if (request.method !== 'GET' || !/^\/(\?|$)/.test(request.originalUrl)) return next()
    response.status(302).setHeader('Location', `${addresses.base}/docs`).end()
  })
  router.get('/health', async (_request, response) => {
    await database.ping()
    response.setHeader('Cache-Control', 'no-store, private')
    response.json({ status: 'ok', version: await version(), database: database.dialect })
  })
  return router
}
