import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createPooledBytes } from '../../../mock-gateway/domain/chance.ts'
import { memoized } from '../../../mock-gateway/domain/memoized.ts'
import { formatProblems, parseList } from '../../../mock-gateway/domain/schema-problems.ts'
import { createThreadWatch } from '../../../mock-gateway/web/http/watchdog.ts'

/** Creates a source of random bytes that records the returned bytes. */
function source() {
  const given: { readonly bytes: Uint8Array; readonly copy: Buffer }[] = []
  return {
    given,
    draw(count: number) {
      const bytes = randomBytes(count)
      given.push({ bytes, copy: Buffer.from(bytes) })
      return bytes
    },
  }
}

test('bytes from a pool equal their source, and each is returned once', () => {
  const { given, draw } = source()
  const pooled = createPooledBytes(draw)
  const drawn = Array.from({ length: 1_000 }, () => pooled(16))
  expect(Buffer.concat(drawn)).toEqual(
    Buffer.concat(given.map(({ copy }) => copy)).subarray(0, 16_000),
  )
  expect(given).toHaveLength(4)
})

test('returned bytes are wiped from the pool, and stay unchanged for the caller', () => {
  const { given, draw } = source()
  const pooled = createPooledBytes(draw)
  const first = pooled(16)
  const [{ bytes: pool, copy } = { bytes: Buffer.of(), copy: Buffer.of() }] = given
  expect(pool.subarray(0, 16)).toEqual(Buffer.alloc(16))
  expect(pool.subarray(16)).toEqual(copy.subarray(16))
  expect(Buffer.from(first)).toEqual(copy.subarray(0, 16))
})

test('a request for more bytes than a pool has reads the source itself', () => {
  const { given, draw } = source()
  expect(createPooledBytes(draw)(10_000)).toBe(given[0]?.bytes)
})

test('a result is calculated once for each text, until there are too many texts', () => {
  const made: string[] = []
  const lengthOf = memoized(2, (text) => made.push(text) && text.length)
  expect(['a', 'bb', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 2])
  expect(made).toEqual(['a', 'bb'])
  expect(['ccc', 'ccc', 'a'].map(lengthOf)).toEqual([3, 3, 1])
  expect(made).toEqual(['a', 'bb', 'ccc', 'a'])
})

test('a call that throws is repeated', () => {
  let tries = 0
  const failing = memoized(2, () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return 'now'
  })
  expect(() => failing('x')).toThrow('not yet')
  expect(failing('x')).toBe('now')
})

test('a caller that blocks the thread for longer than the limit is reported once, with the duration', () => {
  let now = 0
  const told: unknown[] = []
  const watch = createThreadWatch<string>(
    () => now,
    100,
    (...all) => told.push(all),
  )
  const [slow, quick] = [watch.of('slow'), watch.of('quick')]
  now = 100
  quick()
  now = 200
  slow()
  now = 301
  quick()
  now = 302
  watch.begin(undefined)
  expect(told).toEqual([[101, 'slow']])
  now = 1000
  watch.begin(undefined)
  expect(told).toEqual([
    [101, 'slow'],
    [698, undefined],
  ])
})

test('a list stops at the first twenty mistakes, and names their places', () => {
  const isGood = vi.fn((value: unknown) => value === 'good')
  const schema = z.object({ rows: parseList(z.custom(isGood, 'must be good')) })
  const rows = Array.from({ length: 1_000 }, (_, index) => (index === 0 ? 'good' : 'bad'))
  const { error } = schema.safeParse({ rows })
  expect(isGood).toHaveBeenCalledTimes(21)
  const problems = formatProblems(error as z.ZodError).split('; ')
  expect([problems.length, problems[0], problems.at(-1)]).toEqual([
    20,
    'rows[1]: must be good',
    'rows[20]: must be good',
  ])
  expect(schema.parse({ rows: ['good'] })).toEqual({ rows: ['good'] })
  expect(formatProblems(schema.safeParse({ rows: 1 }).error as z.ZodError)).toBe(
    'rows: expected array, received number',
  )
})
