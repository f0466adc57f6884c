/**
 * `npm run lab -- browser`: the browser tests in a whole Chromium. `--in firefox` uses Firefox, and
 * skips the tests that its driver or Firefox itself cannot run.
 */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from '../setup/chromium.ts'
import { ensureFirefox } from '../setup/firefox.ts'

const given = process.argv.slice(2)
const isFirefox = given[0] === '--in' && given[1] === 'firefox'
if (isFirefox) ensureFirefox(process.env)
else ensureChromium(process.env)
const args = ['run', '--project', 'browser', ...given.slice(isFirefox ? 2 : 0)]
const env = { ...process.env, TEST_BROWSER: isFirefox ? 'firefox' : 'whole' }
const { status } = spawnSync('vitest', args, { env, stdio: 'inherit' })
process.exit(status ?? 1)
