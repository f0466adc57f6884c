import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  CARD,
  payment,
  prepared,
  startGateway,
  type TestGateway,
  type TransactionOrError,
} from '../../helpers/gateway.ts'
import { DATABASES, type Place } from '../storage/databases.ts'
import { refusals, TOO_LATE, times, won } from './at-once.ts'

describe.each(DATABASES)('%s', (_name, open) => {
  let place: Place
  let shop: TestGateway
  beforeAll(async () => {
    place = await open()
    shop = await startGateway({ database: place.target })
  })
  afterAll(async () => {
    await shop.close()
    await place.remove()
  })

  const create = async (fields = payment()) => (await shop.post('/v1/transactions', fields)).body
  const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body
  const events = (transaction: TransactionOrError) => transaction.log_events.map(({ data }) => data.event)

  test('of 50 captures at once one takes the money', async () => {
    const { id } = await create(payment({ authorize: true }))
    const answers = await times(50, (index) =>
      shop.put(`/v1/transactions/${id}/capture`, { amount: `${(index % 10) + 1}.00` }),
    )
    const winners = answers.filter(won)
    expect(winners).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
    const after = await read(id)
    expect(after).toMatchObject({ status: 'approved', org_auth_amount: 10, amount: winners[0]?.body.amount })
    expect(after.captures.map(({ amount }) => amount)).toEqual([winners[0]?.body.amount])
    expect(events(after)).toEqual(['created', 'charged', 'captured'])
  })

  test('of 50 creates at once with one payment_ref one is kept', async () => {
    const order = { payment_ref: 'one order' }
    const answers = await times(50, () => shop.post('/v1/transactions', payment(order)))
    expect(answers.filter(won)).toHaveLength(1)
    expect(refusals(answers)).toEqual([146])
    const list = await shop.get('/v1/transactions', { 'filter[payment_ref]': 'one order' })
    expect(list.headers.get('content-range')).toBe('items 1-1/1')
  })

  test('of 50 creates at once that are declined all are kept, and the next may be paid', async () => {
    const order = { payment_ref: 'unlucky order' }
    const answers = await times(50, () => shop.post('/v1/transactions', payment({ ...order, card_cvv: '201' })))
    expect(refusals(answers)).toEqual([129])
    expect((await create(payment(order))).status).toBe('approved')
    const list = await shop.get('/v1/transactions', { 'filter[payment_ref]': 'unlucky order' })
    expect(list.headers.get('content-range')).toBe('items 1-10/51')
  })

  test('of 30 payments at once of one transaction one is charged', async () => {
    const { id } = await create(prepared())
    const answers = await times(30, () => shop.put(`/v1/transactions/${id}`, CARD))
    expect(answers.filter(won)).toHaveLength(1)
    expect(TOO_LATE).toEqual(expect.arrayContaining(refusals(answers)))
    const after = await read(id)
    expect(after).toEqual(answers.find(won)?.body)
    expect(after).toMatchObject({ status: 'approved', amount: '10.00' })
    expect(events(after)).toEqual(['created', 'updated', 'charged'])
  })

  test('an amount that changes while the card is charged is either paid in full or too late', async () => {
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

  test('of 30 changes of metadata at once each that is answered is kept', async () => {
    const { id } = await create()
    const answers = await times(30, (index) =>
      shop.put(`/v1/transactions/${id}`, { [`metadata[key${index}]`]: index, process: false }),
    )
    const kept = answers.flatMap((answer, index) => (won(answer) ? [`key${index}`] : []))
    expect(kept.length).toBeGreaterThan(0)
    expect(Object.keys((await read(id)).metadata ?? {}).sort()).toEqual(kept.sort())
    expect(refusals(answers).filter((code) => code !== 1531)).toEqual([])
  })

  test('of 20 refunds at once of more than half one gives money back', async () => {
    const { id } = await create()
    const refund = { transaction_id: id, amount: '6.00', reason: 'changed their mind' }
    const answers = await times(20, () => shop.post('/v1/refunds', refund))
    expect(answers.filter(won)).toHaveLength(1)
    expect([134, 1531]).toEqual(expect.arrayContaining(refusals(answers)))
    expect((await read(id)).refunds.map(({ amount }) => amount)).toEqual(['6.00'])
  })

  test('of 20 changes of a customer at once all are kept', async () => {
    const { id } = (await shop.post<{ id: number }>('/v1/customers', {})).body
    const answers = await times(20, (index) => shop.put(`/v1/customers/${id}`, { [`metadata[key${index}]`]: index }))
    expect(refusals(answers)).toEqual([])
    const { metadata } = (await shop.get(`/v1/customers/${id}`)).body
    expect(Object.keys(metadata ?? {})).toHaveLength(20)
  })

  test('a customer that is changed while it is deleted is changed or not found', async () => {
    for (const { body } of await times(10, () => shop.post<{ id: number }>('/v1/customers', {}))) {
      const address = `/v1/customers/${body.id}`
      const [deleted, ...changed] = await Promise.all([
        shop.send<TransactionOrError>('DELETE', address),
        ...[1, 2, 3].map((key) => shop.put(address, { [`metadata[${key}]`]: key })),
      ])
      expect(deleted.status).toBe(200)
      expect([142]).toEqual(expect.arrayContaining(refusals(changed)))
    }
  })

  test('a customer that is deleted while it is ordered for is there again', async () => {
    const fields = () => ({ ...payment({ customer_ref: 'comes and goes' }) })
    for (let round = 0; round < 15; round += 1) {
      const { body } = await shop.post('/v1/transactions', fields())
      const [deleted, ...others] = await Promise.all([
        shop.send<TransactionOrError>('DELETE', `/v1/customers/${body.customer?.id}`),
        ...[1, 2, 3].map(() => shop.post('/v1/transactions', fields())),
        shop.post<TransactionOrError>('/v1/stored_cards', {
          ...CARD,
          currency: 'sek',
          test: true,
          customer_ref: 'comes and goes',
        }),
      ])
      expect([200, 404]).toContain(deleted.status)
      expect(refusals(others)).toEqual([])
    }
  })

  test('a stored card that is cancelled while its holder changes stays cancelled', async () => {
    const cards = await times(10, () =>
      shop.post<{ id: number }>('/v1/stored_cards', { ...CARD, currency: 'sek', test: true }),
    )
    for (const { body } of cards) {
      const address = `/v1/stored_cards/${body.id}`
      const changes = await Promise.all([
        shop.put(address, { card_holder: 'Berit Berg' }),
        shop.send<TransactionOrError>('DELETE', address),
        shop.put(address, { card_expiry: '1131' }),
      ])
      expect(refusals(changes)).toEqual([])
      expect((await shop.get(address)).body).toMatchObject({ status: 'cancelled', card_holder: 'Berit Berg' })
    }
  })

  test('40 payments at once for a new customer_ref make one customer', async () => {
    const answers = await times(40, () => shop.post('/v1/transactions', payment({ customer_ref: 'a new one' })))
    expect(answers.filter(won)).toHaveLength(40)
    expect(new Set(answers.map(({ body }) => body.customer?.id)).size).toBe(1)
  })

  test('payments at once of every kind do not get in each other’s way', async () => {
    const kinds = [
      (n: number) => payment({ customer_ref: `customer ${n}` }),
      () => payment({ store_card: true }),
      (n: number) => payment({ store_card: true, customer_ref: `keeper ${n}` }),
      () => payment({ webhook: '{"url":"https://shop.example/hook","trigger":"payment_success"}' }),
      () => prepared(),
    ]
    const answers = await times(100, (n) => shop.post('/v1/transactions', kinds[n % kinds.length]?.(n)))
    expect(refusals(answers)).toEqual([])
  })

  test('creates and updates at once that pay and store the card do not wait for each other in a circle', async () => {
    const waiting = await times(20, () => create(prepared()))
    const answers = await Promise.all([
      ...waiting.map(({ id }) => shop.put(`/v1/transactions/${id}`, { ...CARD, store_card: true })),
      ...Array.from({ length: 20 }, () => shop.post('/v1/transactions', payment({ store_card: true }))),
    ])
    expect(refusals(answers)).toEqual([])
    expect(answers.map(({ body }) => typeof body.stored_card?.id)).toEqual(Array(40).fill('number'))
  })

  test('opposite changes of status at once do not wait for each other in a circle', async () => {
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
        shop.put(`/v1/transactions/${id}`, { payment_method: 'bank', success_url: 'https://shop.example/ok' }),
      ),
      ...waiting.map(({ id }) => shop.put(`/v1/transactions/${id}`, { ...CARD, card_cvv: '201' })),
    ])
    expect(answers.map(({ body }) => body.status ?? body.code)).toEqual([
      ...Array(15).fill('pending'),
      ...Array(15).fill(129),
    ])
  })

  test('100 creates at once are all kept and counted', async () => {
    const before = await shop.get('/v1/transactions', { limit: 1 })
    const total = (answer: Answer<unknown>) => Number(answer.headers.get('content-range')?.split('/')[1])
    const answers = await times(100, () => shop.post('/v1/transactions', payment()))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(100)
    expect(total(await shop.get('/v1/transactions', { limit: 1 }))).toBe(total(before) + 100)
  })
})
