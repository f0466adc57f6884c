import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { isLong } from '../../helpers/some.ts'
import { ensurePrograms } from '../../setup/debian-program.ts'

const suites = (file: string) => inRepository(`test/gateway/testing/suites/${file}`)
const VITEST = [
  process.execPath,
  inRepository('node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  suites('vitest.config.ts'),
]

let folder: string

/** Runs a suite beside a gateway, as somebody would, in a folder that takes its report. */
async function run(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const args = ['exec', '--', ...command]
  const program = startProgram(inRepository(GATEWAY_PROGRAM), args, { NO_COLOR: '1', ...env }, process.execPath, folder)
  return { status: await program.ended, output: program.output() }
}

/** `TEST_FORM=long vitest run --project gateway test/gateway/testing/suites.test.ts` has PHP and Ruby too: 20 s, and they are installed the first time. */
describe('on one gateway of mondido-gateway exec', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    if (isLong) ensurePrograms({ phpunit: 'phpunit', rspec: 'ruby-rspec' })
    folder = await mkdtemp(join(tmpdir(), 'suites-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('100 tests in four workers of vitest see nothing of one another', async () => {
    const { status, output } = await run(VITEST)
    expect(output).toMatch(/Tests +100 passed/)
    expect(status).toBe(0)
  })

  if (isLong) {
    test.each([
      ['vitest', [...VITEST, 'failing'], /POST \/v1\/transactions 400 errors\.payment_ref\.processed/],
      [
        'PHPUnit',
        ['phpunit', '--do-not-cache-result', suites('OrdersTest.php')],
        /POST \/v1\/transactions 400 errors\.hash\.invalid/,
      ],
      ['RSpec', ['rspec', suites('orders_spec.rb')], /POST \/v1\/transactions 400 errors\.hash\.invalid/],
    ])('a test of %s that fails tells what happened', async (_runner, command, story) => {
      const { status, output } = await run(command, { FAIL: '1' })
      expect(output).toMatch(story)
      expect(status).not.toBe(0)
    })

    test.each([
      [
        'PHPUnit',
        ['phpunit', '--do-not-cache-result', suites('OrdersTest.php')],
        /Tests: 5, Assertions: 6, Skipped: 1/,
      ],
      ['RSpec', ['rspec', suites('orders_spec.rb')], /4 examples, 0 failures/],
    ])('a suite of %s pays, waits for webhooks, moves its clock and begins anew', async (_runner, command, outcome) => {
      const { status, output } = await run(command)
      expect(output).toMatch(outcome)
      expect(status).toBe(0)
    })
  }
})
