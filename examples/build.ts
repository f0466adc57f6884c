/**
 * Before `npm start`, `npm run dev` and `npm run packages`: runs the npm scripts `build:<name>` of
 * what they need (`gateway`, `library`, `types`), unless the build is newer than its sources.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The files that each build writes last, and its sources. Folders count as sources: they are as new
 * as the last file added or removed.
 */
const BUILDS = {
  library: {
    built: ['sdk/dist/mondido-advice.js'],
    sources: ['sdk/*.{ts,json}', 'sdk/*/**', 'rollup.config.mjs', 'package-lock.json'],
  },
  gateway: {
    built: ['mock-gateway/dist/contract/openapi.json'],
    sources: [
      'mock-gateway/*.ts',
      'mock-gateway/*/**',
      'sdk/shared/**',
      'build/*',
      'package-lock.json',
    ],
  },
  types: {
    // The build of the gateway deletes its folder, so it comes before.
    built: ['sdk/dist/types/index.d.ts', 'mock-gateway/dist/gateway.d.ts'],
    sources: ['{sdk,mock-gateway}/**/*.ts', 'build/*', 'package-lock.json'],
  },
}

/** Folders that builds write next to the sources. */
const MADE = ['{sdk,mock-gateway}/{dist,docs}', '{sdk,mock-gateway}/{dist,docs}/**']

/**
 * Returns true if the file is missing, or older than one of its sources (paths and patterns, from
 * `folder`).
 */
export function isStale(folder: string, built: string, sources: readonly string[]): boolean {
  const changed = (path: string) =>
    statSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const builtAt = changed(built)
  return globSync(sources, { cwd: folder, exclude: MADE }).some((path) => changed(path) > builtAt)
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs a build, whose errors go to the screen. @returns the exit code */
async function build(name: string): Promise<number> {
  const start = performance.now()
  // npm is a command file on Windows, which only a shell can start.
  const npm = spawn(`npm run --silent build:${name}`, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(npm, 'close')
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  print(code === 0 ? `Built the ${name} in ${seconds} s.` : `The ${name} could not be built.`)
  return code ?? 1
}

if (import.meta.main) {
  const names = process.argv.slice(2) as (keyof typeof BUILDS)[]
  const due = names.filter((name) => {
    const { built, sources } = BUILDS[name]
    return built.some((file) => isStale(root, file, sources))
  })
  if (due.length > 0) {
    print(`Building the ${due.join(' and the ')}. This is done once, and after changes.`)
    // At the same time, because the first start waits for both.
    process.exitCode = Math.max(...(await Promise.all(due.map(build))))
  }
}
