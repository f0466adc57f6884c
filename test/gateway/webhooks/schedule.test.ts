import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { draw, retryDelay } from '../../../mock-gateway/webhooks/schedule.ts'
import { decideOutcome } from '../../../mock-gateway/webhooks/transport.ts'
import { onBothDatabases } from './shop.ts'

/**
 * Least and greatest number of seconds after each attempt. The numbers are from the table of the
 * specification, not calculated.
 */
const DELAYS = [
  [15, 44],
  [16, 74],
  [31, 118],
  [96, 212],
  [271, 416],
  [640, 814],
  [1311, 1514],
  [2416, 2648],
  [4111, 4372],
  [6576, 6866],
  [10015, 10334],
  [14656, 15004],
  [20751, 21128],
  [28576, 28982],
  [38431, 38866],
  [50640, 51104],
  [65551, 66044],
  [83536, 84058],
  [104991, 105542],
  [130336, 130916],
] as const

const YEARS = { days: 3650 }

describe('webhook rule 1: the delay after attempt n', () => {
  for (const [n, [least, most]] of DELAYS.entries())
    test(`n = ${n}: ${least} to ${most} seconds`, () => {
      expect([retryDelay(n, 0), retryDelay(n, 29)]).toEqual([least, most])
      for (let drawn = 0; drawn < 30; drawn++)
        expect(retryDelay(n, drawn)).toBe(least + drawn * (n + 1))
    })

  test('the random part is a whole number from 0 to 29, each with the same probability', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(bytes, (some) => {
        const all = [...some, 7]
        const drawn = draw(() => Uint8Array.of(all.shift() ?? 0))
        expect(drawn).toBe(([...some, 7].find((byte) => byte < 240) ?? 0) % 30)
      }),
    )
  })
})

describe('webhook rule 5: only status 500 is retried', () => {
  test('of the statuses 100 to 599, and not a missing answer', () => {
    for (let code = 100; code < 600; code++)
      expect([code, decideOutcome({ code })]).toEqual([
        code,
        code === 500 ? 'retry' : code >= 200 && code < 300 ? 'delivered' : 'failed',
      ])
    expect(decideOutcome({ code: null })).toBe('failed')
  })

  test('except that the setting 5xx adds the other server errors, and 5xx+network also missing answers', () => {
    for (let code = 501; code < 600; code++) expect(decideOutcome({ code }, '5xx')).toBe('retry')
    expect([
      decideOutcome({ code: null }, '5xx'),
      decideOutcome({ code: null }, '5xx+network'),
    ]).toEqual(['failed', 'retry'])
    for (const code of [404, 302]) expect(decideOutcome({ code }, '5xx+network')).toBe('failed')
  })
})

onBothDatabases((openShop) => {
  test('answers of shops do not change the tokens that a random seed gives later', async () => {
    const hrefAfter = async (code: number) => {
      const shop = await openShop()
      shop.sink.answer(code)
      await shop.pay()
      await shop.attempted(1)
      const { href } = await shop.pay()
      await shop.close()
      return href
    }
    expect(await hrefAfter(404)).toBe(await hrefAfter(500))
  })

  test('webhook rules 2 and 3: a target that answers 500 is called 21 times, and then the delivery fails permanently with one notification', async () => {
    const shop = await openShop()
    shop.sink.answer(500)
    const paid = await shop.pay()
    await shop.attempted(1)
    const { happened } = await shop.gateway.clock.advance(YEARS)
    expect(shop.sink.received).toHaveLength(21)
    expect(happened.map(({ kind }) => kind)).toEqual(Array(20).fill('webhook'))
    const waits = (await shop.attempts()).map(({ created_at }) => created_at / 1000)
    for (const [n, [least, most]] of DELAYS.entries()) {
      const waited = (waits[n + 1] ?? 0) - (waits[n] ?? 0)
      expect(waited).toBeGreaterThanOrEqual(least)
      expect(waited).toBeLessThanOrEqual(most)
    }
    await shop.gateway.clock.advance(YEARS)
    expect(shop.sink.received).toHaveLength(21)
    expect(await shop.deliveries()).toMatchObject([{ status: 'dead', attempts: 21, due_at: null }])
    const notices = await shop.notifications()
    expect(notices).toMatchObject([{ kind: 'webhook_dead', transaction_id: paid.id }])
  })

  for (const k of [1, 10, 20])
    test(`webhook rule 4: success at retry ${k} ends it`, async () => {
      const shop = await openShop()
      shop.sink.answer(...Array<number>(k).fill(500), 204)
      await shop.pay()
      await shop.attempted(1)
      await shop.gateway.clock.advance(YEARS)
      expect(shop.sink.received).toHaveLength(k + 1)
      expect(await shop.deliveries()).toMatchObject([
        { status: 'delivered', attempts: k + 1, due_at: null },
      ])
      expect(await shop.notifications()).toEqual([])
    })

  test('webhook rule 5: a delivery with any other answer fails immediately, and is never retried', async () => {
    const shop = await openShop()
    const codes = [301, 400, 404, 408, 410, 429, 501, 502, 503, 504]
    shop.sink.answer(...codes)
    const paid: Transaction[] = []
    for (const [index] of codes.entries()) {
      paid.push(await shop.pay())
      await shop.attempted(index + 1)
    }
    expect(
      (await shop.notifications()).map(({ kind, transaction_id }) => [kind, transaction_id]),
    ).toEqual(paid.map(({ id }) => ['webhook_failed', id]))
    await shop.gateway.clock.advance(YEARS)
    expect(shop.sink.received).toHaveLength(codes.length)
    for (const { status, attempts } of await shop.deliveries())
      expect([status, attempts]).toEqual(['failed', 1])
    for (const [index, code] of codes.entries())
      expect((await shop.webhook(paid[index] as Transaction)).response).toMatchObject({
        code,
        error: null,
      })
  })

  test('webhook rule 5: a delivery whose connection is refused fails immediately', async () => {
    const shop = await openShop()
    await shop.sink.close()
    const paid = await shop.pay()
    await shop.attempted(1)
    expect((await shop.notifications()).map(({ kind }) => kind)).toEqual(['webhook_failed'])
    expect((await shop.webhook(paid)).response).toMatchObject({
      code: null,
      error: expect.stringContaining('ECONNREFUSED'),
    })
    shop.sink.server.listen(0)
  })

  test('webhook rule 24: every attempt has the same webhook-id and the same bytes, and counts the attempts', async () => {
    const shop = await openShop()
    shop.sink.answer(500, 500, 200)
    await shop.pay()
    await shop.attempted(1)
    await shop.gateway.clock.advance({ days: 1 })
    const { received } = shop.sink
    expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3'])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  })
})
