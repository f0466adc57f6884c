/**
 * `npm run lab -- browser`: the browser tests in a whole Chromium. `--in firefox` uses an installed
 * Firefox, where tests fail that need JavaScript to be off, or Chromium's own protocol.
 */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from '../setup/chromium.ts'

const given = process.argv.slice(2)
const isFirefox = given[0] === '--in' && given[1] === 'firefox'
if (!isFirefox) ensureChromium(process.env)
const args = ['run', '--project', 'browser', ...given.slice(isFirefox ? 2 : 0)]
const env = { ...process.env, TEST_BROWSER: isFirefox ? 'firefox' : 'whole' }
const { status } = spawnSync('vitest', args, { env, stdio: 'inherit' })
process.exit(status ?? 1)
