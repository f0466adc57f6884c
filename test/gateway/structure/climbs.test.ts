import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programEnv } from '../../helpers/program.ts'
import { tellingCalls } from './calls.ts'

const program = fileURLToPath(new URL('./climbs-of-create.ts', import.meta.url))

interface Payment {
  readonly files: readonly string[]
  readonly climbs: readonly string[]
}

test('one payment climbs twice: it is written by its steps, and its line of the log is told', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: programEnv() })
  const payments: readonly Payment[] = JSON.parse(stdout)
  // A payment may also be the one that looks for something new, which is done once a second.
  const [fewest] = payments.toSorted((one, other) => one.climbs.length - other.climbs.length)
  expect(fewest?.climbs.map((climb) => climb.replaceAll(/:\d+/g, ''))).toEqual([
    'mock-gateway/work/work.ts -> mock-gateway/payments/before-payment.ts',
    'mock-gateway/work/work.ts -> mock-gateway/web/http/exchange.ts',
  ])
  const inPayments = fewest?.files.filter((path) => path.startsWith('mock-gateway/payments/'))
  expect(inPayments?.length, inPayments?.join('\n')).toBeLessThanOrEqual(16)
  expect(fewest?.files.length, fewest?.files.join('\n')).toBeLessThanOrEqual(120)
})

test.each([
  ['function f(a) { return a }', 'function f(a) { return C(1, () => { return a }) }'],
  ['const f = async (a) => a', 'const f = async (a) => C(1, async () => (a))'],
  ['const f = (a) => (b) => ({ b })', 'const f = (a) => C(1, () => ((b) => C(1, () => (({ b })))))'],
  [
    'class A { constructor() {} get b() { return 1 } }',
    'class A { constructor() {} get b() { return C(1, () => { return 1 }) } }',
  ],
  ['function* f() {}', 'function* f() {}'],
])('%s tells its calls', (source, telling) => {
  const told = tellingCalls('mock-gateway/payments/x.ts', source)
  expect(told.replaceAll('__called("mock-gateway/payments", "mock-gateway/payments/x.ts:1"', 'C(1')).toBe(telling)
})
