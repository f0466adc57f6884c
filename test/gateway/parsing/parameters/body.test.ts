import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { type BodyStream, readBody } from '../../../../mock-gateway/parsing/parameters/body.ts'

const stream = (chunks: Iterable<Buffer>, headers: IncomingHttpHeaders = {}): BodyStream =>
  Object.assign(Readable.from(chunks, { objectMode: false }), { headers })
/** Creates a body that has arrived completely. */
function whole(chunks: readonly Buffer[], headers: IncomingHttpHeaders = {}): BodyStream {
  const source = Object.assign(new Readable({ read() {} }), { headers, complete: true })
  for (const chunk of [...chunks, null]) source.push(chunk)
  return source
}
const bytes = (count: number) => Buffer.alloc(count, 'x')

describe('a request body is collected', () => {
  for (const [what, chunks, headers] of [
    ['from one piece', [bytes(10)], {}],
    ['from several pieces', [bytes(4), bytes(6)], {}],
    ['of the promised length', [bytes(10)], { 'content-length': '10' }],
    ['exactly at the limit, called identity', [bytes(10)], { 'content-encoding': 'identity' }],
  ] as const)
    test(what, async () => expect(await readBody(stream(chunks, headers), 10)).toEqual(bytes(10)))

  test('that arrived in one piece', async () =>
    expect(await readBody(whole([bytes(4), bytes(6)]), 10)).toEqual(bytes(10)))

  test('that arrived in one piece, also if Node returns it in several pieces', async () => {
    const pieces = [bytes(4), bytes(6)]
    const source = Object.assign(whole([]), { read: () => pieces.shift() ?? null })
    expect(await readBody(source, 10)).toEqual(bytes(10))
  })

  test('that has arrived and is empty', async () =>
    expect(await readBody(whole([]), 10)).toHaveLength(0))

  test('that is empty', async () => expect(await readBody(stream([]), 10)).toHaveLength(0))
})

describe('a request body is rejected', () => {
  for (const [what, chunks, headers] of [
    ['over the limit in one piece', [bytes(11)], {}],
    ['shorter than promised', [bytes(4)], { 'content-length': '5' }],
    ['longer than promised', [bytes(6)], { 'content-length': '5' }],
    ['with a length that is not a number', [bytes(6)], { 'content-length': 'six' }],
    ['that is compressed', [bytes(4)], { 'content-encoding': 'gzip' }],
  ] as const)
    test(what, () =>
      expect(readBody(stream(chunks, headers), 10)).rejects.toThrow('errors.request.bad_format'),
    )

  for (const [what, chunks, headers] of [
    ['over the limit', [bytes(6), bytes(6)], {}],
    ['that promises more than the limit', [], { 'content-length': '11' }],
  ] as const)
    test(`${what}, before its end arrives`, async () => {
      const source = Object.assign(new Readable({ read() {} }), { headers })
      for (const chunk of chunks) source.push(chunk)
      await expect(readBody(source, 10)).rejects.toThrow('errors.request.bad_format')
    })

  for (const [what, chunks, headers] of [
    ['over the limit', [bytes(6), bytes(6)], {}],
    ['shorter than promised', [bytes(4)], { 'content-length': '5' }],
  ] as const)
    test(`that has already arrived, ${what}`, () =>
      expect(readBody(whole(chunks, headers), 10)).rejects.toThrow('errors.request.bad_format'))

  test('that has already arrived from a client that disconnected before it was read', async () => {
    const source = whole([bytes(4)])
    source.destroy()
    await expect(readBody(source, 10)).rejects.toThrow('errors.request.bad_format')
  })

  test('from a client that disconnected earlier', async () => {
    const source = stream([])
    source.destroy()
    await once(source, 'close')
    await expect(readBody(source, 10)).rejects.toThrow('errors.request.bad_format')
  })

  test('from a connection that breaks', async () => {
    const source = stream([])
    source.destroy(new Error('reset'))
    await expect(readBody(source, 10)).rejects.toThrow('errors.request.bad_format')
  })

  test('from a connection that breaks half-way', async () => {
    const source = Object.assign(new Readable({ read() {} }), { headers: {} })
    const body = readBody(source, 10)
    source.push(bytes(3))
    source.destroy()
    await expect(body).rejects.toThrow('errors.request.bad_format')
  })
})

test('the unread rest of a rejected body is dropped, so that the connection does not stall', async () => {
  const source = stream([bytes(11)], { 'content-length': '11' })
  await expect(readBody(source, 10)).rejects.toThrow('errors.request.bad_format')
  await finished(source)
  expect(source.readableEnded).toBe(true)
})
