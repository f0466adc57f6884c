import { beforeEach, expect, test, vi } from 'vitest'
import { hashed, MERCHANT, payment, type TestGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from './client.ts'

const shop = await sharedGateway()
const control = controlOf(shop.gateway)

beforeEach(async () => void (await control.delete('/faults')))

const list = async (client: Pick<TestGateway, 'get'> = shop) =>
  (await client.get('/v1/transactions')).status

test('a fault affects one request, and is then deleted', async () => {
  const { body } = await control.post('/faults', { kind: 'unavailable' })
  expect(body).toMatchObject({
    kind: 'unavailable',
    times: 1,
    probability: 1,
    struck: 0,
    merchant_id: null,
  })
  const { status, headers, body: refusal } = await shop.get('/v1/transactions')
  expect([status, refusal.code]).toEqual([503, 243])
  expect(headers.get('mondido-explain')).toContain('/_control/faults')
  expect(await list()).toBe(200)
  expect((await control.get('/faults')).body).toEqual({ faults: [] })
})

test('a rule affects a number of requests with a method and a path, and no others', async () => {
  await control.post('/faults', {
    kind: 'unavailable',
    method: 'post',
    path: '/v1/transactions',
    times: 2,
  })
  const pay = async () => (await shop.post('/v1/transactions', payment())).status
  expect(await list()).toBe(200)
  expect((await shop.post('/v1/customers', { ref: 'kim' })).status).toBe(200)
  expect([await pay(), await pay(), await pay()]).toEqual([503, 503, 200])
})

test('a fault with seconds ends after this number of seconds by the clock of the machine', async () => {
  const { body } = await control.post('/faults', { kind: 'unavailable', seconds: 60 })
  expect(body).toMatchObject({ times: 0, until: expect.stringMatching(/Z$/) })
  expect([await list(), await list()]).toEqual([503, 503])
  shop.clock.advance(60_000)
  expect(await list()).toBe(200)
  expect((await control.get('/faults')).body).toEqual({ faults: [] })
})

test('the fault of a dropped answer: the payment is made, and the client gets no answer', async () => {
  await control.post('/faults', { kind: 'drop', method: 'POST' })
  const sent = payment()
  await expect(shop.post('/v1/transactions', sent)).rejects.toThrow('socket hang up')
  const { body } = await shop.get<{ status: string }[]>('/v1/transactions', {
    'filter[payment_ref]': String(sent.payment_ref),
  })
  expect(body.map(({ status }) => status)).toEqual(['approved'])
})

/**
 * Pays with a fault whose answer is not in the contract. Returns the answer and the stored payment.
 */
async function struckPayment(kind: string) {
  await control.post('/faults', { kind, method: 'POST' })
  const sent = payment()
  const headers = {
    authorization: `Basic ${btoa(`${MERCHANT.id}:${MERCHANT.password}`)}`,
    'content-type': 'application/json',
  }
  const request = new Request('http://localhost:4400/v1/transactions', {
    method: 'POST',
    body: JSON.stringify(hashed(sent, MERCHANT)),
    headers,
  })
  const answer = await shop.gateway.handle(request).catch((error: Error) => error)
  const filter = { 'filter[payment_ref]': String(sent.payment_ref) }
  const { body } = await shop.get<{ status: string }[]>('/v1/transactions', filter)
  return { answer: answer as Response, statuses: body.map(({ status }) => status) }
}

test('the fault of an answer cut in the middle: the payment is made', async () => {
  const { answer, statuses } = await struckPayment('cut_answer')
  expect(answer).toBeInstanceOf(Error)
  expect(statuses).toEqual(['approved'])
})

test('the fault of a proxy’s error page: the payment is made', async () => {
  const { answer, statuses } = await struckPayment('bad_gateway')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html'])
  expect(answer.headers.get('mondido-mock')).not.toBeNull()
  expect(await answer.text()).toContain('<h1>502 Bad Gateway</h1>')
  expect(statuses).toEqual(['approved'])
})

test('the fault of too many requests: the payment is not made, and the answer has the time for a retry', async () => {
  const { answer, statuses } = await struckPayment('rate_limit')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await answer.json()).toMatchObject({ code: 243 })
  expect(statuses).toEqual([])
})

test('the fault of a late answer: the payment is made before the answer', async () => {
  await control.post('/faults', { kind: 'late_answer', method: 'POST', milliseconds: 1_500 })
  const sent = payment()
  const seen: string[] = []
  const late = shop
    .post('/v1/transactions', sent)
    .then(({ status }) => seen.push(`answered ${status}`))
  await vi.waitFor(async () => {
    const { body } = await shop.get<object[]>('/v1/transactions', {
      'filter[payment_ref]': String(sent.payment_ref),
    })
    expect(body).toHaveLength(1)
  })
  seen.push('made')
  await late
  expect(seen).toEqual(['made', 'answered 200'])
})

test('a fault with a probability affects some requests, and the same ones for the same random seed', async () => {
  const affectedBy = async (seed: string) => {
    const { body } = await control.post('/faults', {
      kind: 'unavailable',
      times: 0,
      probability: 0.5,
      seed,
    })
    const statuses: number[] = []
    for (let times = 0; times < 30; times++) statuses.push(await list())
    await control.delete(`/faults/${body.id}`)
    return statuses
  }
  const first = await affectedBy('a')
  expect(new Set(first)).toEqual(new Set([200, 503]))
  expect(await affectedBy('a')).toEqual(first)
  expect(await affectedBy('b')).not.toEqual(first)
})

test.each([
  [{}, 'kind must be'],
  [{ kind: 'fire' }, 'kind must be'],
  [{ kind: 'latency' }, 'milliseconds is the length'],
  [{ kind: 'late_answer' }, 'milliseconds is the length'],
  [{ kind: 'drop', milliseconds: 5 }, 'milliseconds is the length'],
  [{ kind: 'latency', milliseconds: 120_001 }, 'milliseconds must be'],
  [{ kind: 'drop', method: 'BREW' }, 'method must be'],
  [{ kind: 'drop', path: 'v1' }, 'path must be'],
  [{ kind: 'drop', times: -1 }, 'times must be'],
  [{ kind: 'drop', probability: 0 }, 'probability must be'],
  [{ kind: 'drop', probability: 1.5 }, 'probability must be'],
  [{ kind: 'drop', chance: 1 }, 'chance is not a parameter'],
])('invalid input is rejected: %o', async (fields, explain) => {
  const { status, headers, body } = await control.post('/faults', fields)
  expect([status, body.name]).toEqual([400, 'errors.request.bad_format'])
  expect(headers.get('mondido-explain')).toContain(explain)
  expect((await control.get('/faults')).body).toEqual({ faults: [] })
})
