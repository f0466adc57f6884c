/**
 * `npm run lab -- browser`: full run of the browser tests in a whole Chromium. It tests every page
 * in each state, language, size and colour, and every 3-D Secure card with each way to pay, in
 * about ten minutes. `npm test` runs a part. `--in firefox` uses Firefox, and lists the tests that
 * cannot run there, with reasons.
 */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from '../setup/chromium.ts'
import { ensureFirefox } from '../setup/firefox.ts'
import { IN_FIREFOX, NOT_IN_FIREFOX } from '../setup/not-in-firefox.ts'

const given = process.argv.slice(2)
const isFirefox = given[0] === '--in' && given[1] === 'firefox'
const env: NodeJS.ProcessEnv = { ...process.env, TEST_BROWSER: 'whole' }
const args = ['run', '--project', 'browser']
if (isFirefox) {
  ensureFirefox(process.env)
  env.TEST_BROWSER = 'firefox'
  args.push('-t', IN_FIREFOX, ...given.slice(2))
  for (const [why, titles] of Object.entries(NOT_IN_FIREFOX))
    process.stdout.write(`Not in Firefox, because ${why}: ${titles.join('; ')}\n`)
} else {
  ensureChromium(process.env)
  args.push(...given)
}
const { status } = spawnSync('vitest', args, { env, stdio: 'inherit' })
process.exit(status ?? 1)
