/** Path of Firefox for the full browser tests, and its installation. */
import { onPath } from './chromium.ts'
import { ensurePrograms } from './debian-program.ts'

/** Path of a Firefox: `FIREFOX_PATH` when set, else the first on the path, else undefined. */
export const findFirefox = (env: NodeJS.ProcessEnv): string | undefined =>
  env.FIREFOX_PATH ?? onPath(['firefox-esr', 'firefox'], env)[0]

/**
 * Installs Debian's package if there is no Firefox and installing is possible.
 * @throws Error one sentence for the reader of the test run: how to get Firefox
 */
export function ensureFirefox(env: NodeJS.ProcessEnv): void {
  if (!findFirefox(env)) ensurePrograms({ 'firefox-esr': 'firefox-esr' })
}
