import * as crypto from 'node:crypto'
import * as msw from 'msw'
import * as mswNode from 'msw/node'
import * as vitest from 'vitest'
import * as client from '../../../mock-gateway/client.ts'
import * as gateway from '../../../mock-gateway/gateway.ts'
import * as testingMsw from '../../../mock-gateway/testing/msw.ts'
import * as testingVitest from '../../../mock-gateway/testing/vitest.ts'
import * as testing from '../../../mock-gateway/testing.ts'
import { program, read, runProgram } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { freePort } from '../../setup/free-port.ts'

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

test('docs/how-to: each command waits for the address of the gateway that it starts', async () => {
  const config: { default?: { webServer: { command: string; url: string } } } = {}
  const playwright = { defineConfig: (given: object) => given }
  await runProgram(
    program('docs/how-to/test-in-a-browser.md', 'playwright.config.js'),
    Object.assign(config, { '@playwright/test': playwright }),
  )
  const { command, url } = config.default?.webServer ?? { command: '', url: '' }
  const [, flags = ''] = /^npx mondido-gateway (.*)$/.exec(command) ?? []
  const inShell = /^npx mondido-gateway (.*) > gateway\.log &\nuntil curl .* (http\S+); do/m.exec(
    read('docs/how-to/ci.md'),
  )
  expect(inShell?.slice(1)).toEqual([flags, url])
  const port = String(await freePort())
  const server = startProgram(GATEWAY_PROGRAM, flags.replace('4400', port).split(' '))
  await server.printed(/REST API/)
  expect((await fetch(url.replace('4400', port))).status).toBe(200)
  expect(await server.stop()).toBe(0)
})
