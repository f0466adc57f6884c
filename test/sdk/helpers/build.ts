import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = process.cwd()
const OUTPUTS = [
  'mondido.js',
  'mondido.min.js',
  'mondido.min.js.map',
  'umd/mondido.js',
  'mondido.cjs',
  'mondido.esm.js',
  'mondido-advice.js',
  'mondido.react.js',
] as const
const time = (file: string): number =>
  statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Builds the library if one of its files is missing or older than its sources. */
export function ensureBuild(): void {
  const sources = [
    'rollup.config.mjs',
    'package-lock.json',
    ...globSync('sdk/**/*.{ts,json}', { cwd: root, exclude: ['sdk/dist/**'] }),
  ]
  const oldest = Math.min(...OUTPUTS.map((file) => time(`sdk/dist/${file}`)))
  if (oldest > Math.max(...sources.map(time))) return
  execFileSync(join(root, 'node_modules/.bin/rollup'), ['-c', '--silent'], { cwd: root })
}

/** Returns the path of a built file. */
export const builtPath = (name: (typeof OUTPUTS)[number]): string => join(root, 'sdk/dist', name)

/** Reads a built file. */
export const builtText = (name: (typeof OUTPUTS)[number]): string =>
  readFileSync(builtPath(name), 'utf8')
