import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Path of the repository, with a slash at the end. */
export const ROOT = join(import.meta.dirname, '..', '..', '..', '/')

/** Modules that are mutated: the core of the gateway, and the library. */
export const MUTATED_MODULES: readonly string[] = [
  ...['payments', 'domain', 'webhooks', 'subscriptions', 'parsing'].map(
    (module) => `mock-gateway/${module}`,
  ),
  'sdk',
]

/** Paths of tables of words and texts for people, whose mutants are not errors of logic. */
const LEFT_OUT =
  /\/(?:dist|texts|docs)\/|\.d\.ts$|\/version\.ts$|mock-gateway\/domain\/errors\/catalogue\.ts$/

/** Returns the paths of the sources below some folders. */
export const sourcesBelow = (folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted()
