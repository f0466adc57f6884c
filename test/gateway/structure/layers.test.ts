import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sourcesLike } from '../../helpers/sources.ts'
import { circlesIn } from './circles.ts'
import { breaches } from './layers.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const sources = sourcesLike('{sdk,mock-gateway,examples}/**/*.{ts,js}').map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(`${root}/${path}`, 'utf8'),
}))

const breachesOf = (path: string, text: string) => breaches([{ path, text }])

test('imports point one way and every module keeps its rules', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(breaches(sources)).toEqual([])
})

test('no files form an import cycle, not even through types', () => {
  expect(circlesIn(sources)).toEqual([])
})

test('a cycle through types and other files is found, once', () => {
  const source = (path: string, ...targets: string[]) => ({
    path,
    text: targets.map((target) => `import type { X } from './${target}'`).join('\n'),
  })
  const circle = [
    source('a.ts', 'b.ts', 'd.ts'),
    source('b.ts', 'c.ts'),
    source('c.ts', 'a.ts'),
    source('d.ts'),
  ]
  expect(circlesIn(circle)).toEqual([['a.ts', 'b.ts', 'c.ts']])
  expect(circlesIn([source('a.ts', 'a.ts')])).toEqual([['a.ts']])
})

describe('the check flags', () => {
  test.each([
    [
      'a layer further up',
      'mock-gateway/domain/money/money.ts',
      "import { x } from '../../payments/create.ts'",
    ],
    [
      'a module above',
      'mock-gateway/payments/create.ts',
      "import type { X } from '../webhooks/outbox.ts'",
    ],
    [
      'a layer further up by export',
      'mock-gateway/contract/wire.ts',
      "export * from '../domain/errors/errors.ts'",
    ],
    [
      'a layer further up by import()',
      'mock-gateway/web/http/x.ts',
      "await import('../api/transactions.ts')",
    ],
    [
      'a layer further up by a type',
      'mock-gateway/web/http/x.ts',
      "let x: import('../../gateway.ts').Gateway",
    ],
    [
      'a table that queries',
      'mock-gateway/storage/tables/x.ts',
      "import { findPlan } from '../plans.ts'",
    ],
    [
      'a presenter that knows Express',
      'mock-gateway/serializers/x.ts',
      "import type { Response } from 'express'",
    ],
    ['a module that is in no table', 'mock-gateway/utils/x.ts', ''],
    [
      'the gateway importing the library',
      'mock-gateway/web/library/x.ts',
      "import '../../../sdk/served.ts'",
    ],
    ['the gateway importing a test', 'mock-gateway/gateway.ts', "import '../test/helpers/keys.ts'"],
    [
      'the library importing gateway code',
      'sdk/x.ts',
      "import { y } from '../mock-gateway/contract/known-calls.ts'",
    ],
    [
      'the library importing gateway types',
      'sdk/x.ts',
      "import type { Y } from '../mock-gateway/contract/wire.ts'",
    ],
    [
      'the shared part of the library importing the rest',
      'sdk/shared/x.ts',
      "import type { Y } from '../types.ts'",
    ],
    ['the library using Node', 'sdk/x.ts', "import { readFileSync } from 'node:fs'"],
    [
      'a shop reaching into the gateway',
      'examples/shop/a.ts',
      "import { md5 } from '../../mock-gateway/domain/order/hash.ts'",
    ],
    ['the environment read anywhere', 'mock-gateway/gateway.ts', 'const port = process.env.PORT'],
    ['a clock in the domain', 'mock-gateway/domain/x.ts', 'const t = Date.now()'],
    ['a new date in the domain', 'mock-gateway/domain/x.ts', 'const t = new Date()'],
    ['chance in the acquirer', 'mock-gateway/acquirer/x.ts', 'const t = Math.random()'],
    [
      'random bytes in the domain',
      'mock-gateway/domain/x.ts',
      "import { randomBytes } from 'node:crypto'",
    ],
    ['random bytes by the global', 'mock-gateway/domain/x.ts', 'globalThis.crypto.randomUUID()'],
    [
      'parameters below requests',
      'mock-gateway/payments/x.ts',
      "import type { Parameters } from '../parsing/parameters/parameters.ts'",
    ],
    ['a second reading of the clock', 'mock-gateway/payments/x.ts', 'const t = ambient.now()'],
    ['all clocks read at once', 'mock-gateway/web/api/x.ts', 'const nowOf = clocks.moment()'],
    ['a clock taken apart', 'mock-gateway/web/api/x.ts', 'const { now } = clock; now()'],
    ["the machine's clock", 'mock-gateway/merchants/x.ts', 'const t = Date.now'],
    ['Express in the domain', 'mock-gateway/domain/x.ts', "import express from 'express'"],
    [
      'a query outside storage',
      'mock-gateway/payments/x.ts',
      "work.queries.selectFrom('plans').execute()",
    ],
    ['SQL outside storage', 'mock-gateway/payments/x.ts', "import { sql } from 'kysely'"],
    [
      'a database opened outside storage',
      'mock-gateway/payments/x.ts',
      "import { DatabaseSync } from 'node:sqlite'",
    ],
  ])('%s', (_what, path, text) => {
    expect(breachesOf(path, text)).toHaveLength(1)
  })
})

describe('the check allows', () => {
  test.each([
    [
      'a layer further down',
      'mock-gateway/web/api/x.ts',
      "import { x } from '../../payments/create.ts'",
    ],
    ['the same module', 'mock-gateway/web/api/x.ts', "import { x } from './routes/y.ts'"],
    [
      'a presenter reading data',
      'mock-gateway/serializers/x.ts',
      "import { find } from '../storage/customers.ts'",
    ],
    [
      'hashing in the domain',
      'mock-gateway/domain/x.ts',
      "import { createHash } from 'node:crypto'",
    ],
    [
      'the one reading of the clock',
      'mock-gateway/web/http/begin-exchange.ts',
      'const t = ambient.now()',
    ],
    ['how long something took', 'mock-gateway/web/http/x.ts', 'const t = performance.now()'],
    ['a moment handed in', 'mock-gateway/payments/x.ts', 'const t = work.now'],
    ['a date made from a number', 'mock-gateway/domain/x.ts', 'const t = new Date(now)'],
    ['a word in a comment', 'mock-gateway/domain/x.ts', '// never Date.now()'],
    [
      'the shared card brands in the gateway',
      'mock-gateway/domain/card/x.ts',
      "import { y } from '../../../sdk/shared/card-brands.ts'",
    ],
    [
      'examples starting the gateway',
      'examples/start.ts',
      "import { runGateway } from '../mock-gateway/cli.ts'",
    ],
  ])('%s', (_what, path, text) => {
    expect(breachesOf(path, text)).toEqual([])
  })
})
