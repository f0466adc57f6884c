/** Path and installation of Firefox for the full browser tests. */
import { onPath } from './chromium.ts'
import { ensurePrograms } from './debian-program.ts'

/**
 * Returns the path of Firefox: `FIREFOX_PATH` if it is set, otherwise the first on the path,
 * otherwise undefined.
 */
export const findFirefox = (env: NodeJS.ProcessEnv): string | undefined =>
  env.FIREFOX_PATH ?? onPath(['firefox-esr', 'firefox'], env)[0]

/**
 * Installs Debian's package if Firefox is missing and the installation is possible.
 * @throws Error with one sentence for the reader of the test run: how to get Firefox
 */
export function ensureFirefox(env: NodeJS.ProcessEnv): void {
  if (!findFirefox(env)) ensurePrograms({ 'firefox-esr': 'firefox-esr' })
}
