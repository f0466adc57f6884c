import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { pooledBytes } from '../../../mock-gateway/domain/chance.ts'

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
  const pooled = pooledBytes(draw)
  const drawn = Array.from({ length: 1_000 }, () => pooled(16))
  expect(Buffer.concat(drawn)).toEqual(
    Buffer.concat(given.map(({ copy }) => copy)).subarray(0, 16_000),
  )
  expect(given).toHaveLength(4)
})

test('returned bytes are wiped from the pool, and stay unchanged for the caller', () => {
  const { given, draw } = source()
  const pooled = pooledBytes(draw)
  const first = pooled(16)
  const [{ bytes: pool, copy } = { bytes: Buffer.of(), copy: Buffer.of() }] = given
  expect(pool.subarray(0, 16)).toEqual(Buffer.alloc(16))
  expect(pool.subarray(16)).toEqual(copy.subarray(16))
  expect(Buffer.from(first)).toEqual(copy.subarray(0, 16))
})

test('a request for more bytes than a pool has reads the source itself', () => {
  const { given, draw } = source()
  expect(pooledBytes(draw)(10_000)).toBe(given[0]?.bytes)
})
