import { globSync } from 'node:fs'
import { join } from 'node:path'

/** The repository, with a slash behind. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '/')

/** The rooms into which faults are put: the core, and the library. */
export const ROOMS: readonly string[] = [
  ...['payments', 'domain', 'webhooks', 'subscriptions', 'requests'].map((room) => `mock-gateway/${room}`),
  'sdk',
]

/** Tables of words, and what only people read: their faults are no faults of logic. */
const LEFT_OUT = /\/(?:dist|texts|catalogue|docs)\/|\.d\.ts$|\/version\.ts$|mock-gateway\/domain\/setting-words\.ts$/

/** The sources below some folders, by their names. */
export const sourcesBelow = (folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted()
