/**
 * `npm run test:browser`: the browser tests in their long form: every page in each state, language, size and colour, and
 * every card of 3-D Secure on each way to pay, in Chromium as people have it. About ten minutes; `npm test` tries a part of it.
 */
import { spawnSync } from 'node:child_process'
import { ensureChromium } from './setup/chromium.ts'

ensureChromium(process.env)
const env = { ...process.env, TEST_FORM: 'long' }
const { status } = spawnSync('vitest', ['run', '--project', 'browser', ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
})
process.exit(status ?? 1)
