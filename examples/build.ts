/**
 * Before `npm start` and `npm run dev`: builds what they run (`gateway`, `library`), unless it is
 * newer than its sources.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ROLLDOWN = fileURLToPath(new URL('../bin/cli.mjs', import.meta.resolve('rolldown')))

/**
 * Each build with its sources. Folders count as sources: they are as new as the last file added or
 * removed.
 */
const BUILDS = {
  library: {
    built: 'mock-gateway/dist/library/mondido.min.js',
    sources: ['sdk', 'sdk/**', 'build/*', 'package.json', 'package-lock.json'],
    command: [ROLLDOWN, '-c', 'build/library.config.mjs'],
  },
  gateway: {
    built: 'mock-gateway/dist/cli.js',
    sources: [
      'mock-gateway',
      'mock-gateway/**',
      'sdk/shared/**',
      'docs/**',
      'build/*',
      'package.json',
      'package-lock.json',
    ],
    command: [ROLLDOWN, '-c', 'build/rolldown.config.mjs'],
  },
}

/** Folders that a build writes next to the sources. */
const MADE = ['{sdk,mock-gateway}/{dist,docs}', '{sdk,mock-gateway}/{dist,docs}/**']

/**
 * True when the file is not there, or older than one of its sources (paths and patterns, from
 * `folder`).
 */
export function isStale(folder: string, built: string, sources: readonly string[]): boolean {
  const changed = (path: string) =>
    statSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs
  const builtAt = changed(built)
  if (builtAt === undefined) return true
  return globSync([...sources], { cwd: folder, exclude: MADE }).some(
    (path) => (changed(path) ?? 0) > builtAt,
  )
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Builds one of them; errors of the build go to the screen. @returns the exit code */
async function build(name: keyof typeof BUILDS): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, BUILDS[name].command, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'close')
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  print(code === 0 ? `Built the ${name} in ${seconds} s.` : `The ${name} could not be built.`)
  return code ?? 1
}

if (import.meta.main) {
  const names = process.argv.slice(2) as (keyof typeof BUILDS)[]
  const due = names.filter((name) => isStale(root, BUILDS[name].built, BUILDS[name].sources))
  if (due.length > 0) {
    print(`Building the ${due.join(' and the ')}. This is done once, and after changes.`)
    // At the same time: the first start waits for both.
    process.exitCode = Math.max(...(await Promise.all(due.map(build))))
  }
}
