import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { isLong } from '../../helpers/some.ts'
import { ensurePrograms } from '../../setup/debian-program.ts'
import { FAILING, SCENARIOS } from './scenarios.ts'

const suites = (file: string) => inRepository(`test/gateway/testing/suites/${file}`)
const VITEST = [
  process.execPath,
  inRepository('node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  suites('vitest.config.ts'),
]

let folder: string

/** Runs a suite with a gateway, like a user, in a folder for its report. */
async function run(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const args = ['exec', '--', ...command]
  const program = startProgram(
    inRepository(GATEWAY_PROGRAM),
    args,
    { NO_COLOR: '1', ...env },
    process.execPath,
    folder,
  )
  return { status: await program.ended, output: program.output() }
}

const PYTHON = { PYTHONDONTWRITEBYTECODE: '1' }
const UNITTEST = [
  'python3',
  '-m',
  'unittest',
  'discover',
  '-v',
  '-s',
  suites(''),
  '-p',
  'unittest_orders.py',
]

type Runner = readonly [name: string, command: readonly string[], env: NodeJS.ProcessEnv]

/** Test runners of other languages, each with its suite. */
const OTHER_RUNNERS: readonly Runner[] = [
  ['PHPUnit', ['phpunit', '--do-not-cache-result', '--testdox', suites('OrdersTest.php')], {}],
  ['RSpec', ['rspec', '--format', 'documentation', suites('orders_spec.rb')], {}],
  [
    'pytest',
    ['python3', '-m', 'pytest', '-v', '-p', 'no:cacheprovider', suites('test_orders.py')],
    PYTHON,
  ],
  ['unittest', UNITTEST, { ...PYTHON, PYTHONPATH: inRepository('mock-gateway/testing') }],
]

/** Simplifies a report, so that `test_signs_an_order` equals "Signs an order". */
const plain = (report: string) => report.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')

/**
 * `TEST_FORM=long vitest run --project gateway test/gateway/testing/suites.test.ts` uses every
 * runner, in about 30 s, and installs missing ones.
 */
describe('on one gateway of mondido-gateway exec', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    if (isLong)
      ensurePrograms({ phpunit: 'phpunit', rspec: 'ruby-rspec', pytest: 'python3-pytest' })
    folder = await mkdtemp(join(tmpdir(), 'suites-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('the kit for vitest passes every scenario, while 100 tests in two other workers do not affect each other', async () => {
    const { status, output } = await run([...VITEST, '--reporter=verbose'])
    for (const scenario of SCENARIOS) expect(plain(output)).toContain(plain(scenario))
    expect(output.match(/✓.* sees only its own data/g)).toHaveLength(100)
    expect(status).toBe(0)
  })

  test.each(isLong ? OTHER_RUNNERS : [])(
    'the kit for %s passes every scenario',
    async (_name, command, env) => {
      const { status, output } = await run(command, env)
      for (const scenario of SCENARIOS) expect(plain(output)).toContain(plain(scenario))
      expect(status).toBe(0)
    },
  )

  test.each(
    isLong ? [['vitest', [...VITEST, 'orders'], {}] satisfies Runner, ...OTHER_RUNNERS] : [],
  )('the report of %s has the requests of a failed test', async (_name, command, env) => {
    const { status, output } = await run(command, { ...env, FAIL: '1' })
    expect(plain(output)).toContain(plain(FAILING))
    expect(output).toMatch(
      /POST \/v1\/transactions 400 errors\.(hash\.invalid|payment_ref\.processed)/,
    )
    expect(status).not.toBe(0)
  })

  test.each(isLong ? ['docs/reference/test-kit.md'] : [])(
    'the pytest suite of %s passes',
    async (document) => {
      for (const { language, code } of blocksOf(document)) {
        const [, name] = /^# (\S+)\n/.exec(code) ?? []
        const ours = code.replace(
          'node_modules/mondido-gateway/testing',
          inRepository('mock-gateway/testing'),
        )
        if (name && ['toml', 'python'].includes(language)) await writeFile(join(folder, name), ours)
      }
      const { status, output } = await run(
        ['python3', '-m', 'pytest', '-p', 'no:cacheprovider'],
        PYTHON,
      )
      expect(output).toMatch(/2 passed/)
      expect(status).toBe(0)
    },
  )
})
