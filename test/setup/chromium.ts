/** Path and installation of Chromium for the browser tests. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FIXED = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
]

/**
 * Names of Chromium's headless shell, which has no windows, menus and profiles. It is the same
 * engine at half the cost.
 */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the paths of programs with these names. */
export function onPath(names: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(isProgram)
}

/**
 * Returns the path of Chromium or Chrome: `CHROMIUM_PATH` if it is set, otherwise a usual place,
 * otherwise undefined.
 */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const candidates = env.CHROMIUM_PATH ? [env.CHROMIUM_PATH] : [...FIXED, ...onPath(NAMES, env)]
  return candidates.find(isProgram)
}

/**
 * Returns the path of the headless shell if it is installed, because it is cheaper, otherwise of
 * Chromium.
 */
export const findShell = (env: NodeJS.ProcessEnv): string | undefined =>
  env.CHROMIUM_PATH ? findChromium(env) : (onPath(SHELLS, env)[0] ?? findChromium(env))

/**
 * Installs Chromium with apt-get if it is missing and this process may do so (Debian, as root). Says so
 * before.
 * @throws Error with one sentence for the reader of the test run: how to get Chromium
 */
export function ensureChromium(env: NodeJS.ProcessEnv): void {
  if (findChromium(env)) return
  if (env.CHROMIUM_PATH)
    throw new Error(
      `CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which is not a program: let it name Chromium, or unset it.`,
    )
  if (process.getuid?.() === 0 && onPath(['apt-get'], env).length > 0) {
    process.stdout.write('The browser tests need Chromium. Installing it once, with apt-get.\n')
    const aptGet = (...args: string[]) =>
      spawnSync('apt-get', [...args, '-q', '-y'], {
        stdio: 'inherit',
        env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    aptGet('update')
    aptGet('install', '--no-install-recommends', 'chromium')
    // Not every distribution has the cheaper shell.
    aptGet('install', '--no-install-recommends', 'chromium-headless-shell')
  }
  if (!findChromium(env))
    throw new Error(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to it.',
    )
}
