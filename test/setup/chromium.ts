/** Path of Chromium for the browser tests, and its installation. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FIXED = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
]

/** Chromium without its windows, menus and profiles: the same engine at half the cost. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']

/** Debian's names. */
const PACKAGES = ['chromium', 'chromium-headless-shell']

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Paths of programs with these names. */
export function onPath(names: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(isProgram)
}

/**
 * Path of a Chromium or Chrome: `CHROMIUM_PATH` when set, else the usual places, else undefined.
 */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const candidates = env.CHROMIUM_PATH ? [env.CHROMIUM_PATH] : [...FIXED, ...onPath(NAMES, env)]
  return candidates.find(isProgram)
}

/**
 * Path of the cheapest program that shows pages as Chromium does: its headless shell where there is
 * one.
 */
export const findShell = (env: NodeJS.ProcessEnv): string | undefined =>
  env.CHROMIUM_PATH ? findChromium(env) : (onPath(SHELLS, env)[0] ?? findChromium(env))

const isComplete = (env: NodeJS.ProcessEnv) =>
  findChromium(env) !== undefined && (!!env.CHROMIUM_PATH || onPath(SHELLS, env).length > 0)

function mayInstall(env: NodeJS.ProcessEnv): boolean {
  return !env.CHROMIUM_PATH && process.getuid?.() === 0 && onPath(['apt-get'], env).length > 0
}

/**
 * Installs Debian's packages where something is missing and that is possible (as root, with
 * apt-get). Without the shell the tests run in Chromium, only slower.
 * @throws Error one sentence for the reader of the test run: how to get Chromium
 */
export function ensureChromium(env: NodeJS.ProcessEnv): void {
  if (!isComplete(env) && mayInstall(env)) {
    const options = {
      stdio: 'inherit',
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    } as const
    spawnSync('apt-get', ['update', '-q'], options)
    // One by one: if one package is unknown, the other is still installed.
    for (const name of PACKAGES)
      spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], options)
  }
  if (findChromium(env)) return
  throw new Error(
    env.CHROMIUM_PATH
      ? `CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which is not a program: let it name Chromium, or unset it.`
      : 'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to it.',
  )
}
