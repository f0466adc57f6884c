import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { DATABASES, type Place } from '../storage/databases.ts'
import { refusals, TOO_LATE, times, won } from './at-once.ts'

const OTHER_MERCHANT = {
  id: 2,
  password: 'other password',
  secret: 'other secret',
  private_key: OTHER_PRIVATE_KEY,
}

describe.each(DATABASES)('two gateways on one %s', (_name, open) => {
  let place: Place
  let gateways: readonly TestGateway[]
  beforeAll(async () => {
    place = await open()
    gateways = await times(2, (index) =>
      startGateway({
        database: place.target,
        merchants: [MERCHANT, OTHER_MERCHANT],
        seed: `gateway ${index}`,
      }),
    )
  })
  afterAll(async () => {
    for (const gateway of gateways) await gateway.close()
    await place.remove()
  })

  /** Returns one of the gateways in turn. */
  const shop = (index: number) => gateways[index % 2] as TestGateway

  test("see each other's changes", async () => {
    const { body } = await shop(0).post('/v1/transactions', payment())
    expect((await shop(1).get(`/v1/transactions/${body.id}`)).body).toEqual(body)
  })

  test('check ten of 40 parallel guesses at a password', async () => {
    const guess = (index: number) =>
      shop(index).browser.get(
        '/v1/plans',
        {},
        { authorization: `Basic ${btoa(`3:guess ${index}`)}` },
      )
    const codes = (await times(40, guess)).map(({ body }) => (body as { code?: number }).code)
    expect(codes.filter((code) => code === 182)).toHaveLength(10)
    expect(codes.filter((code) => code === 207)).toHaveLength(30)
  })

  test('accept one of 40 parallel captures', async () => {
    const { id } = (await shop(0).post('/v1/transactions', payment({ authorize: true }))).body
    const answers = await times(40, (index) =>
      shop(index).put(`/v1/transactions/${id}/capture`, { amount: '4.00' }),
    )
    expect(answers.filter(won)).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
    expect((await shop(0).get(`/v1/transactions/${id}`)).body.captures).toHaveLength(1)
  })

  test('charge once for 40 parallel payments of one transaction', async () => {
    const { id } = (await shop(0).post('/v1/transactions', prepared())).body
    const answers = await times(40, (index) => shop(index).put(`/v1/transactions/${id}`, CARD))
    expect(answers.filter(won)).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
  })

  test('store one of 40 parallel payments with one payment_ref for each merchant', async () => {
    const order = payment({ payment_ref: 'one order' })
    for (const merchant of [MERCHANT, OTHER_MERCHANT]) {
      const answers = await times(40, (index) =>
        shop(index).as(merchant).post('/v1/transactions', order),
      )
      expect(answers.filter(won)).toHaveLength(1)
      expect(refusals(answers)).toEqual([146])
    }
  })

  test('store 100 parallel payments of two merchants, each with its own merchant', async () => {
    const answers = await times(100, (index) =>
      shop(index)
        .as(index % 4 < 2 ? MERCHANT : OTHER_MERCHANT)
        .post('/v1/transactions', payment()),
    )
    expect(refusals(answers)).toEqual([])
    for (const merchant of [MERCHANT, OTHER_MERCHANT]) {
      const list = await shop(0)
        .as(merchant)
        .get<{ id: number; merchant_id: number }[]>('/v1/transactions', { limit: 1000 })
      const mine = answers
        .filter(({ body }) => body.merchant_id === merchant.id)
        .map(({ body }) => body.id)
      expect(mine).toHaveLength(50)
      expect(list.body.map(({ id }) => id)).toEqual(expect.arrayContaining(mine))
      expect(new Set(list.body.map(({ merchant_id }) => merchant_id))).toEqual(
        new Set([merchant.id]),
      )
    }
  })
})

test('two gateways in one process share nothing', async () => {
  const [one, other] = [await startGateway(), await startGateway()]
  const order = payment()
  for (const { post } of [one, other])
    expect((await post('/v1/transactions', order)).body.id).toBe(1)
  one.clock.advance(60_000)
  expect((await one.post('/v1/transactions', payment())).body.created_at).toBe(
    '2026-03-14T12:01:00Z',
  )
  expect((await other.post('/v1/transactions', payment())).body.created_at).toBe(
    '2026-03-14T12:00:00Z',
  )
  await one.close()
  expect((await other.get('/v1/transactions/2')).status).toBe(200)
  await other.close()
})
