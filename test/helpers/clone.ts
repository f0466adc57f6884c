import { execFileSync } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Copies the files of the repository in their present state into a folder, without installed
 * packages.
 */
export async function cloneTo(target: string): Promise<void> {
  const flags = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', flags, { cwd: root, maxBuffer: 2 ** 26 })
    .toString()
    .split('\0')
    .filter(Boolean)
  for (const folder of new Set(paths.map((path) => dirname(path))))
    await mkdir(join(target, folder), { recursive: true })
  await Promise.all(
    paths.map((path) => cp(join(root, path), join(target, path)).catch(ignoreRemoved)),
  )
}

/**
 * Ignores the error of a missing file, because Git still lists a file whose removal is not
 * committed.
 */
function ignoreRemoved(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}
