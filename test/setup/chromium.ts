/** Where the browser tests find Chromium, and how it gets there. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FIXED = ['/usr/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function onPath(names: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** Path of a Chromium or Chrome: `CHROMIUM_PATH` when set, else the usual places, else undefined. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const candidates = env.CHROMIUM_PATH ? [env.CHROMIUM_PATH] : [...FIXED, ...onPath(NAMES, env)]
  return candidates.find(isProgram)
}

function mayInstall(env: NodeJS.ProcessEnv): boolean {
  return !env.CHROMIUM_PATH && process.getuid?.() === 0 && onPath(['apt-get'], env).some(isProgram)
}

/**
 * As `findChromium`, but installs Debian's package first where that is possible (as root, with apt-get).
 * @throws Error one sentence for the reader of the test run: how to get Chromium
 */
export function ensureChromium(env: NodeJS.ProcessEnv): string {
  if (!findChromium(env) && mayInstall(env)) {
    const options = { stdio: 'inherit', env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['update', '-q'], options)
    spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], options)
  }
  const path = findChromium(env)
  if (path) return path
  throw new Error(
    env.CHROMIUM_PATH
      ? `CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which is not a program: let it name Chromium, or unset it.`
      : 'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to it.',
  )
}
