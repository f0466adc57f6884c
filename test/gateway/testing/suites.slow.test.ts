import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, isHere, startProgram } from '../../helpers/program.ts'
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

/** Test runners of other languages, each with its suite. Only installed ones run. */
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

const isInstalled = ([name, [program = '']]: Runner): boolean =>
  name === 'pytest' ? isHere(program, '-m', 'pytest', '--version') : isHere(program)

/** Simplifies a report, so that `test_signs_an_order` equals "Signs an order". */
const plain = (report: string) => report.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')

describe('on one gateway of mondido-gateway exec', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suites-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('the kit for vitest passes every scenario', async () => {
    const { status, output } = await run([...VITEST, '--reporter=verbose'])
    for (const scenario of SCENARIOS) expect(plain(output)).toContain(plain(scenario))
    expect(status).toBe(0)
  })

  test('the report of vitest has the requests of a failed test', async () => {
    expectReport(await run([...VITEST, 'orders'], { FAIL: '1' }))
  })

  test.each(OTHER_RUNNERS.filter(isInstalled))(
    'the kit for %s passes every scenario, and reports the requests of a failed test',
    async (_name, command, env) => {
      const failed = await run(command, { ...env, FAIL: '1' })
      for (const scenario of SCENARIOS) expect(plain(failed.output)).toContain(plain(scenario))
      expectReport(failed)
    },
  )
})

function expectReport({ status, output }: Awaited<ReturnType<typeof run>>): void {
  expect(plain(output)).toContain(plain(FAILING))
  expect(output).toMatch(
    /POST \/v1\/transactions 400 errors\.(hash\.invalid|payment_ref\.processed)/,
  )
  expect(status).not.toBe(0)
}
