import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

let shop: TestGateway | undefined
let administrator: ConsoleClient
beforeEach(async () => {
  await shop?.close()
  shop = await startGateway({ merchants: [MERCHANT, RIVAL], control: KEY })
  administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
})
afterAll(() => shop?.close())

/** Returns the form of the page like a browser sends it, including empty fields. */
const order = (over = {}) =>
  administrator.post('/faults', {
    kind: 'unavailable',
    milliseconds: '',
    method: '',
    path: '',
    merchant_id: '',
    times: '1',
    probability: '1',
    seed: '',
    ...over,
  })

/** Returns the fields that a button with this label sends. */
const sentBy = (html: string, words: string): Record<string, string> => {
  const form = html.split('<form').find((each) => each.includes(`>${words}</button>`)) ?? ''
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )
  return Object.fromEntries(fields)
}

describe('faults', () => {
  test('are offered in plain words', async () => {
    const slow = sentBy((await administrator.get('/faults')).html, 'Be unavailable for a minute')
    expect((await administrator.post('/faults', slow)).to).toBe('/console/faults?done=fault_added')
    expect((await shop?.get('/v1/plans'))?.status).toBe(503)
    expect(textOf((await administrator.get('/faults')).html)).toMatch(
      /unavailable .* 1 so far, until \d\d:\d\d:\d\d UTC/,
    )
    shop?.clock.advance(60_000)
    expect((await shop?.get('/v1/plans'))?.status).toBe(200)
  })

  test('are injected with a form, affect requests, and show their count', async () => {
    expect(textOf((await administrator.get('/faults')).html)).toContain('No faults are set.')
    expect((await order({ path: '/v1/plans', times: '2', method: 'GET' })).to).toBe(
      '/console/faults?done=fault_added',
    )
    expect((await shop?.get('/v1/plans'))?.status).toBe(503)
    expect((await shop?.get('/v1/refunds'))?.status).toBe(200)
    await order({
      kind: 'latency',
      milliseconds: '25',
      merchant_id: '2',
      times: '0',
      probability: '.5',
    })
    const text = textOf((await administrator.get('/faults')).html)
    expect(text).toContain('1 unavailable GET /v1/plans… all 1 of 2 Delete')
    expect(text).toContain(
      '2 latency of 25 ms 50 % of all requests 2 0 so far, until it is deleted Delete',
    )
  })

  test('are deleted, one or all', async () => {
    for (const path of ['/v1/plans', '/v1/refunds', '/v1/customers'])
      await order({ path, times: '0' })
    expect((await administrator.post('/faults/1/remove')).to).toBe('/console/faults?done=removed')
    expect((await administrator.post('/faults/1/remove')).status).toBe(404)
    expect((await shop?.get('/v1/plans'))?.status).toBe(200)
    expect((await shop?.get('/v1/refunds'))?.status).toBe(503)
    await administrator.post('/faults/forget')
    expect((await shop?.get('/v1/refunds'))?.status).toBe(200)
  })

  test('faults with mistakes are rejected with the reason', async () => {
    const { status, html } = await order({ kind: 'latency' })
    expect(status).toBe(400)
    expect(html).toMatch(/id="wrong-milliseconds"[^>]*>milliseconds is the length of a latency/)
    expect(html).toContain(
      '<option value="latency" selected>latency: a late answer, processed late',
    )
  })
})

describe('the data in the console', () => {
  test('can be downloaded as a file, for all or for one merchant', async () => {
    await shop?.post('/v1/transactions', payment({ payment_ref: 'mine' }))
    await shop?.as(RIVAL).post('/v1/transactions', payment({ payment_ref: 'theirs' }))
    const all = await administrator.get('/data/fixtures.json?merchant_id=')
    expect(all.headers.get('content-disposition')).toBe('attachment; filename="fixtures.json"')
    const refsIn = (file: string) =>
      JSON.parse(file).transactions.map((row: { payment_ref: string }) => row.payment_ref)
    expect(refsIn(all.html)).toEqual(['mine', 'theirs'])
    expect(refsIn((await administrator.get('/data/fixtures.json?merchant_id=2')).html)).toEqual([
      'theirs',
    ])
  })

  test('are deleted after a confirmation, for one merchant or for all', async () => {
    const pay = async (merchant = MERCHANT) => {
      await shop?.as(merchant).post('/v1/transactions', payment())
      return (await shop?.as(merchant).get<object[]>('/v1/transactions'))?.body.length
    }
    expect([await pay(), await pay(RIVAL)]).toEqual([1, 1])
    const unsure = await administrator.post('/data/reset', { merchant_id: '' })
    expect(unsure.status).toBe(400)
    expect(textOf(unsure.html)).toContain('Nothing was deleted')
    expect((await administrator.post('/data/reset', { merchant_id: '2', sure: 'true' })).to).toBe(
      '/console/data?done=reset',
    )
    expect([await pay(), await pay(RIVAL)]).toEqual([2, 1])
    await administrator.post('/data/reset', { merchant_id: '', sure: 'true' })
    expect([await pay(), await pay(RIVAL)]).toEqual([1, 1])
    expect((await administrator.get('/data')).status).toBe(200)
  })
})

test('of other merchants can be neither seen nor deleted (attack 116, idor-console)', async () => {
  if (!shop) throw new Error('no shop')
  const client = consoleOf(shop.gateway)
  await client.logIn(1, MERCHANT.password)
  await shop.post('/v1/transactions', payment())
  await order({ path: '/v1/plans', times: '0' })
  for (const path of [
    '/faults',
    '/faults/forget',
    '/faults/1/remove',
    '/data/reset',
    '/1/faults',
    '/1/data/reset',
  ])
    expect((await client.post(path, { kind: 'drop', sure: 'true' })).status, path).toBe(404)
  expect((await shop.get('/v1/plans')).status).toBe(503)
  expect((await shop.get<object[]>('/v1/transactions')).body).toHaveLength(1)
})
