import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../')

/** Returns the paths of matching source files, relative to the repository, without built files. */
export const sourcesLike = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['{sdk,mock-gateway}/dist/**'] })

/**
 * Returns true if a built file exists and is not older than any of its sources. Paths are relative
 * to the repository.
 */
export function isAsNew(built: string, sources: readonly string[]): boolean {
  const changed = (path: string) =>
    statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const since = changed(built)
  return sources.every((path) => changed(path) <= since)
}
