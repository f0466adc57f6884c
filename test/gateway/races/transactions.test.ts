import { describe, expect, test } from 'vitest'
import type { Refund } from '../../../mock-gateway/contract/wire.ts'
import {
  type Answer,
  CARD,
  payment,
  prepared,
  type TestGateway,
  type TransactionOrError,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
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

  test('50 parallel declined payments are all stored, and the next can be paid', async () => {
    const order = { payment_ref: 'unlucky order' }
    const answers = await times(50, () =>
      shop.post('/v1/transactions', payment({ ...order, card_cvv: '201' })),
    )
    expect(refusals(answers)).toEqual([129])
    expect((await create(payment(order))).status).toBe('approved')
    const list = await shop.get('/v1/transactions', { 'filter[payment_ref]': 'unlucky order' })
    expect(list.headers.get('content-range')).toBe('items 1-10/51')
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

  test('an update of the amount during a payment is either charged in full or rejected as too late', async () => {
    for (const { id } of await times(15, () => create(prepared()))) {
      const [change, payment] = await Promise.all([
        shop.put(`/v1/transactions/${id}`, { amount: '99.00', process: false }),
        shop.put(`/v1/transactions/${id}`, CARD),
      ])
      const after = await read(id)
      expect(TOO_LATE).toEqual(expect.arrayContaining(refusals([change, payment])))
      expect(after.status).toBe(won(payment) ? 'approved' : 'pending')
      expect(after.amount).toBe(won(change) ? '99.00' : '10.00')
      if (won(payment)) expect(after.org_auth_amount).toBe(Number(after.amount))
    }
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

  test('50 parallel refunds of 5 % never refund more than was paid', async () => {
    const { id } = await create(payment())
    const answers = await times(50, () => refund(id, '0.50'))
    const given = answers.filter(won).length
    expect(given).toBeGreaterThan(0)
    expect(given).toBeLessThanOrEqual(20)
    expect(refunded(await read(id))).toBe(given * 50)
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

/** Defines tests of changes at the same time. */
function defineChanges({ shop, create, read }: RacingShop): void {
  test('the answer to a payment shows the charged amount, although 20 amounts are set in parallel', async () => {
    for (const { id } of await times(3, () => create(prepared()))) {
      const change = (index: number) =>
        shop.put(`/v1/transactions/${id}`, { amount: `${index + 11}.00`, process: false })
      const pay = () => shop.put(`/v1/transactions/${id}`, CARD)
      const answers = await times(24, (index) => (index % 6 === 3 ? pay() : change(index)))
      expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
      const payments = answers.filter(({ body }) => body.status === 'approved')
      const after = await read(id)
      expect(payments.length).toBeLessThanOrEqual(1)
      expect(after.status).toBe(payments.length === 1 ? 'approved' : 'pending')
      for (const { body } of payments) {
        expect(body.org_auth_amount).toBe(Number(body.amount))
        expect(after).toEqual(body)
      }
      expect(answers.filter(won).map(({ body }) => body.amount)).toContain(after.amount)
    }
  })

  test('an order is paid with the amount in the same request, whatever parallel requests change', async () => {
    const { id } = await create(prepared())
    const answers = await times(30, (index) =>
      shop.put(`/v1/transactions/${id}`, { ...CARD, amount: `${index + 1}.00` }),
    )
    const winners = answers.flatMap((answer, index) => (won(answer) ? [`${index + 1}.00`] : []))
    expect(winners).toHaveLength(1)
    const after = await read(id)
    expect([after.amount, after.org_auth_amount]).toEqual([winners[0], Number(winners[0])])
  })

  test('each acknowledged one of 30 parallel changes of metadata is stored', async () => {
    const { id } = await create()
    const answers = await times(30, (index) =>
      shop.put(`/v1/transactions/${id}`, { [`metadata[key${index}]`]: index, process: false }),
    )
    const kept = answers.flatMap((answer, index) => (won(answer) ? [`key${index}`] : []))
    expect(kept.length).toBeGreaterThan(0)
    expect(Object.keys((await read(id)).metadata ?? {}).sort()).toEqual(kept.sort())
    expect(refusals(answers).filter((code) => code !== 1531)).toEqual([])
  })

  test('parallel payments of every kind do not disturb each other', async () => {
    const kinds = [
      (n: number) => payment({ customer_ref: `customer ${n}` }),
      () => payment({ store_card: true }),
      (n: number) => payment({ store_card: true, customer_ref: `keeper ${n}` }),
      () => payment({ webhook: '{"url":"https://shop.example/hook","trigger":"payment_success"}' }),
      () => prepared(),
    ]
    const answers = await times(100, (n) =>
      shop.post('/v1/transactions', kinds[n % kinds.length]?.(n)),
    )
    expect(refusals(answers)).toEqual([])
  })

  test('parallel creates and updates that pay and store the card do not deadlock', async () => {
    const waiting = await times(20, () => create(prepared()))
    const answers = await Promise.all([
      ...waiting.map(({ id }) => shop.put(`/v1/transactions/${id}`, { ...CARD, store_card: true })),
      ...Array.from({ length: 20 }, () =>
        shop.post('/v1/transactions', payment({ store_card: true })),
      ),
    ])
    expect(refusals(answers)).toEqual([])
    expect(answers.map(({ body }) => typeof body.stored_card?.id)).toEqual(Array(40).fill('number'))
  })

  test('opposite parallel changes of status do not deadlock', async () => {
    const declined = await times(15, async () => {
      const fields = payment({ card_cvv: '201' })
      await create(fields)
      const { body } = await shop.get<{ id: number }[]>('/v1/transactions', {
        'filter[payment_ref]': fields.payment_ref,
      })
      return body[0]?.id
    })
    const waiting = await times(15, () => create(prepared()))
    const answers = await Promise.all([
      ...declined.map((id) =>
        shop.put(`/v1/transactions/${id}`, {
          payment_method: 'bank',
          success_url: 'https://shop.example/ok',
        }),
      ),
      ...waiting.map(({ id }) => shop.put(`/v1/transactions/${id}`, { ...CARD, card_cvv: '201' })),
    ])
    expect(answers.map(({ body }) => body.status ?? body.code)).toEqual([
      ...Array(15).fill('pending'),
      ...Array(15).fill(129),
    ])
  })

  test('100 parallel payments are all stored and counted', async () => {
    const before = await shop.get('/v1/transactions', { limit: 1 })
    const total = (answer: Answer<unknown>) =>
      Number(answer.headers.get('content-range')?.split('/')[1])
    const answers = await times(100, () => shop.post('/v1/transactions', payment()))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(100)
    expect(total(await shop.get('/v1/transactions', { limit: 1 }))).toBe(total(before) + 100)
  })
}

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })
  const racingShop = createRacingShop(shop)
  definePayments(racingShop)
  defineCapturesAndRefunds(racingShop)
  defineChanges(racingShop)
})
