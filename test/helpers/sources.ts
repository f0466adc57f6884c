import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Paths, from the repository, of files that match: of the sources, not of what is built beside them. */
export const sourcesLike = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['{sdk,mock-gateway}/dist/**'] })
