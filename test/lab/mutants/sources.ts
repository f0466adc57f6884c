import { globSync } from 'node:fs'
import { join } from 'node:path'

/** The repository, with a slash behind. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '/')

/** Modules that are mutated: the core, and the library. */
export const MUTATED_MODULES: readonly string[] = [
  ...['payments', 'domain', 'webhooks', 'subscriptions', 'parsing'].map(
    (module) => `mock-gateway/${module}`,
  ),
  'sdk',
]

/** Tables of words, and texts for people: their mutants are not errors of logic. */
const LEFT_OUT =
  /\/(?:dist|texts|catalogue|docs)\/|\.d\.ts$|\/version\.ts$|mock-gateway\/domain\/setting-words\.ts$/

/** The sources below some folders, by their names. */
export const sourcesBelow = (folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted()
