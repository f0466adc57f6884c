/** Tests of the examples in the comments of exported functions. */

import { fileURLToPath } from 'node:url'
import * as msw from 'msw'
import * as mswNode from 'msw/node'
import ts from 'typescript'
import { describe, expect, test, vi } from 'vitest'
import * as client from '../../../mock-gateway/client.ts'
import * as gatewayEntry from '../../../mock-gateway/gateway.ts'
import * as testingMsw from '../../../mock-gateway/testing/msw.ts'
import * as testingPlaywright from '../../../mock-gateway/testing/playwright.ts'
import * as testingVitest from '../../../mock-gateway/testing/vitest.ts'
import * as testing from '../../../mock-gateway/testing.ts'
import * as library from '../../../sdk/index.ts'
import { read, runProgram } from '../../helpers/documents.ts'
import { share } from '../../helpers/shared.ts'

/** Entry points, and the files that they export. */
const ENTRIES = {
  'mondido-gateway': {
    exported: gatewayEntry,
    files: [
      'mock-gateway/gateway.ts',
      'mock-gateway/gateway/options.ts',
      'mock-gateway/domain/options.ts',
      'mock-gateway/merchants/seed.ts',
    ],
  },
  'mondido-gateway/client': {
    exported: client,
    files: ['mock-gateway/client.ts', 'mock-gateway/client/errors.ts'],
  },
  'mondido-gateway/testing': {
    exported: testing,
    files: ['mock-gateway/testing.ts', 'mock-gateway/client/errors.ts'],
  },
  'mondido-gateway/testing/msw': { exported: testingMsw, files: ['mock-gateway/testing/msw.ts'] },
  'mondido-gateway/testing/vitest': {
    exported: testingVitest,
    files: ['mock-gateway/testing/vitest.ts'],
  },
  'mondido-gateway/testing/playwright': {
    exported: testingPlaywright,
    files: ['mock-gateway/testing/playwright.ts', 'mock-gateway/check/payer-at-bank.ts'],
  },
  'mondido-js': { exported: library, files: ['sdk/index.ts'] },
}

const COMMENTED =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?(?:const|function|class) (\w+)/g

/** Returns the code of each example by the name of its export. */
function examplesIn(files: readonly string[]): ReadonlyMap<string, string> {
  const examples = new Map<string, string>()
  for (const file of files)
    for (const [, comment = '', name = ''] of read(file).matchAll(COMMENTED)) {
      const [, example] = comment.split('@example\n')
      if (example) examples.set(name, example.replace(/^ \* ?/gm, '').trim())
    }
  return examples
}

const gateway = await share(testing.startGateway())

describe.each(Object.entries(ENTRIES))('%s', (_entry, { exported, files }) => {
  test('has a comment with an example for every export', () => {
    const examples = examplesIn(files)
    expect(Object.keys(exported).filter((name) => !examples.has(name))).toEqual([])
  })
})

test('the examples of the library compile', () => {
  const folder = fileURLToPath(new URL('../../../sdk/', import.meta.url))
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const sources = new Map(
    [...examplesIn(ENTRIES['mondido-js'].files)].map(([name, code]) => [
      `${folder}example-${name}.ts`,
      `${code.replaceAll("'mondido-js'", "'./index.ts'")}\ndeclare const publicKey: string, text: string\n`,
    ]),
  )
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram(
    [...sources.keys()],
    { ...options, noUncheckedIndexedAccess: false },
    {
      ...host,
      fileExists: (path) => sources.has(path) || host.fileExists(path),
      readFile: (path) => sources.get(path) ?? host.readFile(path),
      getSourceFile: (path, target, ...more) => {
        const source = sources.get(path)
        return source === undefined
          ? host.getSourceFile(path, target, ...more)
          : ts.createSourceFile(path, source, target)
      },
    },
  )
  const mistakes = [...sources.keys()].flatMap((path) =>
    program.getSemanticDiagnostics(program.getSourceFile(path)),
  )
  expect(ts.formatDiagnostics(mistakes, host)).toBe('')
})

/** Examples that are not run, because they need a shop or a service that is down. */
const NOT_RUN = ['checkShop', 'UnavailableError']

const MODULES = {
  // The examples call the default address, where the gateway of this test does not listen.
  'mondido-gateway/client': {
    ...client,
    createClient: (options: client.ClientOptions) =>
      client.createClient({ ...(options.url ? {} : { fetch: gateway.fetch }), ...options }),
  },
  'mondido-gateway': gatewayEntry,
  'mondido-gateway/testing': testing,
  'mondido-gateway/testing/msw': testingMsw,
  msw,
  'msw/node': mswNode,
}

describe('an example runs and prints the output in its comment:', () => {
  const examples = [...examplesIn(Object.values(ENTRIES).flatMap(({ files }) => files))].filter(
    ([name, code]) =>
      !NOT_RUN.includes(name) &&
      [...code.matchAll(/from '(.*)'/g)].every(([, from]) => from && from in MODULES),
  )

  test.each(examples)('%s', async (_name, code) => {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    await runProgram(code, MODULES)
    const printed = print.mock.calls.map((call) => call.map(String).join(' '))
    print.mockRestore()
    const told = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text)
    expect(printed).toEqual(expect.arrayContaining(told))
  })
})
