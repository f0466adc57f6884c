import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Refund } from '../../../mock-gateway/contract/refund.ts'
import type { StoredCard } from '../../../mock-gateway/contract/stored-card.ts'
import {
  CARD,
  type Fields,
  payment,
  prepared,
  startGateway,
  type TestGateway,
  type TransactionOrError,
} from '../../helpers/gateway.ts'
import { type Place, SHARED_DATABASES } from '../storage/databases.ts'
import { refusals, TOO_LATE, times, won } from './at-once.ts'

describe.each(SHARED_DATABASES)('on %s', (_name, open) => {
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

  const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
  const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body
  const refund = (transaction_id: number, amount: string) =>
    shop.post<TransactionOrError>('/v1/refunds', { transaction_id, amount, reason: 'changed their mind' })
  const refunded = (transaction: TransactionOrError) =>
    (transaction.refunds as readonly Refund[]).reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)

  test('of 50 refunds of 60 % at once one gives the money back', async () => {
    const { id } = await create(payment())
    const answers = await times(50, () => refund(id, '6.00'))
    expect(answers.filter(won)).toHaveLength(1)
    expect([134, 1531]).toEqual(expect.arrayContaining(refusals(answers)))
    expect(refunded(await read(id))).toBe(600)
    expect((await refund(id, '4.01')).body.code).toBe(134)
    expect((await refund(id, '4.00')).status).toBe(200)
  })

  test('50 refunds of 5 % at once never give back more than was paid', async () => {
    const { id } = await create(payment())
    const answers = await times(50, () => refund(id, '0.50'))
    const given = answers.filter(won).length
    expect(given).toBeGreaterThan(0)
    expect(given).toBeLessThanOrEqual(20)
    expect(refunded(await read(id))).toBe(given * 50)
  })

  test('a capture and a refund at once leave one of the two orders in which they could come', async () => {
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

  test('of 20 amounts that are set while the order is paid, the one that is charged is the one answered', async () => {
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

  test('an order is paid with the amount that the same request brings, whoever else changes it', async () => {
    const { id } = await create(prepared())
    const answers = await times(30, (index) =>
      shop.put(`/v1/transactions/${id}`, { ...CARD, amount: `${index + 1}.00` }),
    )
    const winners = answers.flatMap((answer, index) => (won(answer) ? [`${index + 1}.00`] : []))
    expect(winners).toHaveLength(1)
    const after = await read(id)
    expect([after.amount, after.org_auth_amount]).toEqual([winners[0], Number(winners[0])])
  })

  test('50 creates at once that store a card for one customer_ref make one customer with 50 cards', async () => {
    const fields = { customer_ref: 'a new keeper', store_card: true }
    const answers = await times(50, () => shop.post('/v1/transactions', payment(fields)))
    expect(refusals(answers)).toEqual([])
    const [customer, ...more] = new Set(answers.map(({ body }) => body.customer?.id))
    expect(more).toEqual([])
    const { body } = await shop.get<StoredCard[]>(`/v1/customers/${customer}/stored_cards`, { limit: 1000 })
    expect(body.map(({ id }) => id).sort()).toEqual(answers.map(({ body }) => body.stored_card?.id).sort())
    expect(new Set(body.map(({ token }) => token)).size).toBe(50)
  })

  test('a stored card that is cancelled while it pays either paid before or is refused', async () => {
    await times(10, async () => {
      const { body: card } = await shop.post<StoredCard>('/v1/stored_cards', { ...CARD, currency: 'sek', test: true })
      const byToken = { card_number: card.token, card_type: 'STORED_CARD', card_cvv: undefined, card_holder: undefined }
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
