import { readFile } from 'node:fs/promises'
import { Router } from 'express'
import type { Database } from '../../storage/database.ts'

/** What a gateway says of itself to who starts it or watches it. */
export interface HealthDependencies {
  readonly database: Database
  /** Of the package. */
  readonly version: () => Promise<string>
}

/** The version of a package, from its package.json. */
export const versionIn = async (file: URL): Promise<string> =>
  JSON.parse(await readFile(file, 'utf8')).version

/** `/health` answers programs, once the database does. */
export function healthRouter({ database, version }: HealthDependencies): Router {
  const router = Router()
  router.get('/health', async (_request, response) => {
    await database.ping()
    response.setHeader('Cache-Control', 'no-store, private')
    response.json({ status: 'ok', version: await version(), database: database.dialect })
  })
  return router
}
