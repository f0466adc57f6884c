/** Before `npm start` and `npm run dev`: builds what they run (`gateway`, `library`), unless it is newer than its sources. */
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const pathOf = (module: string) => fileURLToPath(import.meta.resolve(module))

/** How each is built, and from what. Folders are among the sources: they are as new as the last file added or removed. */
const BUILDS = {
  library: {
    built: 'mock-gateway/dist/library/mondido.min.js',
    sources: ['sdk', 'sdk/**', 'mock-gateway/contract/**', 'rollup.config.mjs', 'package.json', 'package-lock.json'],
    command: [pathOf('rollup/dist/bin/rollup'), '-c', '--silent', '--configOnly', 'served'],
  },
  gateway: {
    built: 'mock-gateway/dist/cli.js',
    sources: ['mock-gateway', 'mock-gateway/**', 'docs/**', 'rolldown.config.mjs', 'package.json', 'package-lock.json'],
    command: [join(pathOf('rolldown'), '../../bin/cli.mjs'), '-c'],
  },
}

/** What building adds to the folders of the sources. */
const MADE = ['{sdk,mock-gateway}/{dist,docs}', '{sdk,mock-gateway}/{dist,docs}/**']

/** True when the file is not there, or older than one of its sources (paths and patterns, from `folder`). */
export function isStale(folder: string, built: string, sources: readonly string[]): boolean {
  const changed = (path: string) => statSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs
  const builtAt = changed(built)
  if (builtAt === undefined) return true
  return globSync([...sources], { cwd: folder, exclude: MADE }).some((path) => (changed(path) ?? 0) > builtAt)
}

if (import.meta.main)
  for (const name of process.argv.slice(2)) {
    const { built, sources, command } = BUILDS[name as keyof typeof BUILDS]
    if (!isStale(root, built, sources)) continue
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) process.exit(status ?? 1)
  }
