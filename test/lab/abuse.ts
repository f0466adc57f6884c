/**
 * `npm run lab -- abuse`: fuzzing. Sends 20,000 requests, most of them valid ones with a mutated
 * part, to gateways on both databases and to their console, and runs the library with mutated forms,
 * settings and answers. `--seed 7` repeats a run, `--requests 1000` makes a shorter run.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})
process.stdout.write(`npm run lab -- abuse --seed ${values.seed} --requests ${values.requests}\n`)
const env = { ...process.env, TEST_REQUESTS: values.requests, TEST_SEED: values.seed }
const tests = ['test/gateway/abuse/fuzz.test.ts', 'test/sdk/mutated-forms.slow.test.ts']
const flags = ['--testTimeout', '0', ...tests]
process.exitCode = spawnSync('vitest', ['run', ...flags], { env, stdio: 'inherit' }).status ?? 1
