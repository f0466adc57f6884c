import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the paths of matching source files, from the repository, without built files. */
export const sourcesLike = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['{sdk,mock-gateway}/dist/**'] })

/**
 * Whether something built is there and as new as all that it is made of; paths from the repository.
 */
export function isAsNew(built: string, sources: readonly string[]): boolean {
  const changed = (path: string) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const since = changed(built)
  return sources.every((path) => changed(path) <= since)
}
