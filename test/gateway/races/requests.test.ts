import { describe, expect, test } from 'vitest'
import type { Refund, StoredCard, Subscription } from '../../../mock-gateway/contract/wire.ts'
import {
  CARD,
  payment,
  prepared,
  type TestGateway,
  type TransactionOrError,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { newPlan } from '../subscriptions/new-subscription.ts'
import { refusals, TOO_LATE, times, won } from './at-once.ts'

/** Creates the calls of a shop that sends parallel requests. */
function createRacingShop(shop: TestGateway) {
  const create = async (fields = payment()) => (await shop.post('/v1/transactions', fields)).body
  const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body
  const refund = (transaction_id: number, amount: string) =>
    shop.post<TransactionOrError>('/v1/refunds', {
      transaction_id,
      amount,
      reason: 'changed their mind',
    })
  const refunded = (transaction: TransactionOrError) =>
    (transaction.refunds as readonly Refund[]).reduce(
      (sum, { amount }) => sum + Math.round(Number(amount) * 100),
      0,
    )
  const events = (transaction: TransactionOrError) =>
    transaction.log_events.map(({ data }) => data.event)
  return { shop, create, read, refund, refunded, events }
}

type RacingShop = ReturnType<typeof createRacingShop>

/** Defines tests of payments at the same time. */
function definePayments({ shop, create, read, events }: RacingShop): void {
  test('one of 50 parallel payments with one payment_ref is stored', async () => {
    const order = { payment_ref: 'one order' }
    const answers = await times(50, () => shop.post('/v1/transactions', payment(order)))
    expect(answers.filter(won)).toHaveLength(1)
    expect(refusals(answers)).toEqual([146])
    const list = await shop.get('/v1/transactions', { 'filter[payment_ref]': 'one order' })
    expect(list.headers.get('content-range')).toBe('items 1-1/1')
  })

  test('one of 50 transactions with one payment_ref that are paid in parallel is charged', async () => {
    const waiting = await times(50, () => create(prepared({ payment_ref: 'shared order' })))
    const answers = await times(50, (index) =>
      index % 5 === 4
        ? shop.post('/v1/transactions', payment({ payment_ref: 'shared order' }))
        : shop.put(`/v1/transactions/${waiting[index]?.id}`, CARD),
    )
    expect(answers.filter(won)).toHaveLength(1)
    expect(refusals(answers)).toEqual([146])
    const after = await shop.get('/v1/transactions', {
      'filter[payment_ref]': 'shared order',
      'filter[status]': 'approved',
    })
    expect(after.headers.get('content-range')).toBe('items 1-1/1')
    const events = await times(
      50,
      async (index) => (await read(waiting[index]?.id ?? 0)).log_events.length,
    )
    expect(events.filter((count) => count > 1).length).toBeLessThanOrEqual(1)
  })

  test('20 parallel requests of one attempt charge once, and all get the same answer', async () => {
    const order = payment({ mondido_attempt: 'one-attempt-sent-20-times' })
    const answers = await times(20, () => shop.post('/v1/transactions', order))
    expect(refusals(answers)).toEqual([])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test('30 parallel payments of one transaction charge once', async () => {
    const { id } = await create(prepared())
    const answers = await times(30, () => shop.put(`/v1/transactions/${id}`, CARD))
    expect(answers.filter(won)).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
    const after = await read(id)
    expect(after).toEqual(answers.find(won)?.body)
    expect(after).toMatchObject({ status: 'approved', amount: '10.00' })
    expect(events(after)).toEqual(['created', 'updated', 'charged'])
  })
}

/** Defines tests of captures and refunds at the same time. */
function defineCapturesAndRefunds({
  shop,
  create,
  read,
  refund,
  refunded,
  events,
}: RacingShop): void {
  test('one of 50 parallel captures succeeds', async () => {
    const { id } = await create(payment({ authorize: true }))
    const answers = await times(50, (index) =>
      shop.put(`/v1/transactions/${id}/capture`, { amount: `${(index % 10) + 1}.00` }),
    )
    const winners = answers.filter(won)
    expect(winners).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
    const after = await read(id)
    expect(after).toMatchObject({
      status: 'approved',
      org_auth_amount: 10,
      amount: winners[0]?.body.amount,
    })
    expect(after.captures.map(({ amount }) => amount)).toEqual([winners[0]?.body.amount])
    expect(events(after)).toEqual(['created', 'charged', 'captured'])
  })

  test('one of 50 parallel refunds of 60 % succeeds', async () => {
    const { id } = await create(payment())
    const answers = await times(50, () => refund(id, '6.00'))
    expect(answers.filter(won)).toHaveLength(1)
    expect([134, 1531]).toEqual(expect.arrayContaining(refusals(answers)))
    expect(refunded(await read(id))).toBe(600)
    expect((await refund(id, '4.01')).body.code).toBe(134)
    expect((await refund(id, '4.00')).status).toBe(200)
  })

  test('a capture and a refund in parallel have the same result as one after the other', async () => {
    const paid = await times(20, () => create(payment({ authorize: true })))
    await times(paid.length, async (index) => {
      const { id } = paid[index] as TransactionOrError
      const [captured, released] = await Promise.all([
        shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' }),
        refund(id, '6.00'),
      ])
      const after = await read(id)
      expect(won(captured) || won(released)).toBe(true)
      expect(TOO_LATE).toEqual(expect.arrayContaining(refusals([captured, released])))
      expect(after.status).toBe(won(captured) ? 'approved' : 'authorized')
      expect(after.captures).toHaveLength(won(captured) ? 1 : 0)
      expect(refunded(after)).toBe(won(released) ? 600 : 0)
    })
  })
}

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })
  const racingShop = createRacingShop(shop)
  definePayments(racingShop)
  defineCapturesAndRefunds(racingShop)
})

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

  test('40 parallel payments for a new customer_ref create one customer', async () => {
    const answers = await times(40, () =>
      shop.post('/v1/transactions', payment({ customer_ref: 'a new one' })),
    )
    expect(answers.filter(won)).toHaveLength(40)
    expect(new Set(answers.map(({ body }) => body.customer?.id)).size).toBe(1)
  })

  test('a stored card that is cancelled while it pays either pays first or is rejected', async () => {
    await times(10, async () => {
      const { body: card } = await shop.post<StoredCard>('/v1/stored_cards', {
        ...CARD,
        card_type: 'VISA',
        currency: 'sek',
        test: true,
      })
      const byToken = {
        card_number: card.token,
        card_type: 'STORED_CARD',
        card_cvv: undefined,
        card_holder: undefined,
      }
      const [paid, cancelled] = await Promise.all([
        shop.post('/v1/transactions', payment({ ...byToken, card_expiry: undefined })),
        shop.send<StoredCard>('DELETE', `/v1/stored_cards/${card.id}`),
      ])
      expect(cancelled.body.status).toBe('cancelled')
      expect([150]).toEqual(expect.arrayContaining(refusals([paid])))
      expect((await shop.get(`/v1/stored_cards/${card.id}`)).body.status).toBe('cancelled')
    })
  })
})

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

  test('one of 20 parallel payments of one order starts the subscription', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = (await shop.post('/v1/transactions', prepared({ plan_id }))).body
    const answers = await times(20, () => shop.put(`/v1/transactions/${id}`, CARD))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { body } = await shop.get<Subscription[]>('/v1/subscriptions', {
      'filter[plan_id]': plan_id,
    })
    expect(body).toHaveLength(1)
  })
})

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

  async function prepare(over = {}) {
    const { body } = await shop.post('/v1/transactions', prepared(over))
    return { id: body.id, path: new URL(body.href).pathname }
  }
  const pay = (path: string, card_cvv = '200') => shop.browser.submit(path, { ...CARD, card_cvv })
  const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body
  const charges = async (id: number) =>
    (await read(id)).log_events.filter(({ data }) => data.event === 'charged').length
  const leadTo = (answers: readonly { readonly headers: Headers }[]) =>
    new Set(answers.map(({ headers }) => headers.get('location')))

  test('one of 50 parallel submissions pays, and all lead to the same result', async () => {
    const { id, path } = await prepare()
    const answers = await times(50, () => pay(path))
    expect([...leadTo(answers)]).toEqual([expect.stringContaining('status=approved')])
    expect([await charges(id), (await read(id)).status]).toEqual([1, 'approved'])
  })

  test('one of two pages of one order, submitted in parallel, is paid', async () => {
    const pages = [
      await prepare({ payment_ref: 'one order' }),
      await prepare({ payment_ref: 'one order' }),
    ]
    const answers = await times(10, (index) => pay(pages[index % 2]?.path ?? ''))
    const paid = await Promise.all(pages.map(async ({ id }) => (await read(id)).status))
    expect(paid.sort()).toEqual(['approved', 'pending'])
    expect((await Promise.all(pages.map(({ id }) => charges(id)))).sort()).toEqual([0, 1])
    for (const { status, body } of answers.filter(({ status }) => status !== 303))
      expect([status, body.includes('data-error="errors.payment_ref.processed"')]).toEqual([
        422,
        true,
      ])
  })

  test('parallel declined cards use no more attempts than the page allows', async () => {
    const { id, path } = await prepare()
    for (let round = 0; round < 6; round++) await times(5, () => pay(path, '201'))
    const tried = await charges(id)
    expect(tried).toBeGreaterThan(0)
    expect(tried).toBeLessThanOrEqual(10)
  })

  test('a parallel payment and cancellation have one result', async () => {
    const { id, path } = await prepare()
    await Promise.all([pay(path), shop.browser.submit(path, { action: 'cancel' })])
    expect([await charges(id), (await read(id)).status]).toEqual([1, 'approved'])
  })

  test("a payment parallel to a change of its amount charges the amount on the payer's page, or nothing", async () => {
    const { id, path } = await prepare({ amount: '10.00' })
    const version = /name="version" value="([^"]+)"/.exec(
      (await shop.browser.get<string>(path)).body,
    )?.[1]
    await Promise.all([
      shop.put(`/v1/transactions/${id}`, { amount: '99.00', process: false }),
      shop.browser.submit(path, { ...CARD, version }),
    ])
    const { status, amount } = await read(id)
    expect(['approved 10.00', 'pending 99.00']).toContain(`${status} ${amount}`)
  })
})
