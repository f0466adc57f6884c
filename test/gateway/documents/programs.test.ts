import * as crypto from 'node:crypto'
import * as msw from 'msw'
import * as mswNode from 'msw/node'
import * as vitest from 'vitest'
import * as client from '../../../mock-gateway/client.ts'
import * as gateway from '../../../mock-gateway/gateway.ts'
import * as testingMsw from '../../../mock-gateway/testing/msw.ts'
import * as testingVitest from '../../../mock-gateway/testing/vitest.ts'
import * as testing from '../../../mock-gateway/testing.ts'
import { program, runProgram } from '../../helpers/documents.ts'

const { describe, expect, test, vi } = vitest

/** Modules that the programs of the documents can import. */
const MODULES = {
  'mondido-gateway': gateway,
  'mondido-gateway/client': client,
  'mondido-gateway/testing': testing,
  'mondido-gateway/testing/msw': testingMsw,
  'mondido-gateway/testing/vitest': testingVitest,
  'node:crypto': crypto,
  msw,
  'msw/node': mswNode,
  vitest,
}

describe('docs/start/test-that-pays.md:', () =>
  runProgram(program('docs/start/test-that-pays.md', 'payments.test.js'), MODULES))

test('docs/reference/embedding.md: the program without a port prints its documented output', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue()
  await runProgram(program('docs/reference/embedding.md', 'in-process.js'), MODULES)
  expect(print.mock.calls).toEqual([[200, []]])
  print.mockRestore()
})

for (const name of ['orders.test.js', 'fixtures.test.js', 'network.test.js'])
  describe(`docs/reference/test-kit.md, ${name}:`, () =>
    runProgram(program('docs/reference/test-kit.md', name), MODULES))

test('docs/reference/client.md: the program that pays prints its documented output', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue()
  await runProgram(program('docs/reference/client.md', 'orders.js'), MODULES)
  expect(print.mock.calls).toEqual([
    ['A100', 'approved'],
    [true, 129, 'Payment declined'],
    [expect.stringMatching(/CVV/)],
  ])
  print.mockRestore()
})

test('docs/reference/control.md: the program that moves the clock prints its documented output', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue()
  await runProgram(program('docs/reference/control.md', 'clock.js'), MODULES)
  expect(print.mock.calls).toEqual([['2026-02-28T00:00:00.000Z', [], true]])
  print.mockRestore()
})
