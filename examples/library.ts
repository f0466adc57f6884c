/** Before `npm start` and `npm run dev`: builds what the gateway serves to browsers, unless it is newer than its sources. */
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const BUILT = 'dist/sdk/mondido.min.js'
/** Folders are among them: they are as new as the last file that was added or removed. */
const SOURCES = ['sdk', 'sdk/**', 'mock-gateway/contract/**', 'rollup.config.mjs', 'package.json', 'package-lock.json']

/** True when the file is not there, or older than one of its sources (paths and patterns, from `folder`). */
export function isStale(folder: string, built: string, sources: readonly string[]): boolean {
  const changed = (path: string) => statSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs
  const builtAt = changed(built)
  if (builtAt === undefined) return true
  return globSync([...sources], { cwd: folder }).some((path) => (changed(path) ?? 0) > builtAt)
}

if (import.meta.main && isStale(root, BUILT, SOURCES)) {
  const rollup = fileURLToPath(import.meta.resolve('rollup/dist/bin/rollup'))
  const args = [rollup, '-c', '--silent', '--configLibrary']
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
}
