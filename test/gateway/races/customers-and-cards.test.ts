import { describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/wire.ts'
import { CARD, payment, type TransactionOrError } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { refusals, times, won } from './at-once.ts'

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

  test('20 parallel changes of a customer are all stored', async () => {
    const { id } = (await shop.post<{ id: number }>('/v1/customers', {})).body
    const answers = await times(20, (index) =>
      shop.put(`/v1/customers/${id}`, { [`metadata[key${index}]`]: index }),
    )
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

  test('a customer that is deleted during an order is created again', async () => {
    const fields = () => ({ ...payment({ customer_ref: 'comes and goes' }) })
    for (let round = 0; round < 15; round += 1) {
      const { body } = await shop.post('/v1/transactions', fields())
      const [deleted, ...others] = await Promise.all([
        shop.send<TransactionOrError>('DELETE', `/v1/customers/${body.customer?.id}`),
        ...[1, 2, 3].map(() => shop.post('/v1/transactions', fields())),
        shop.post<TransactionOrError>('/v1/stored_cards', {
          ...CARD,
          card_type: 'VISA',
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
      shop.post<{ id: number }>('/v1/stored_cards', {
        ...CARD,
        card_type: 'VISA',
        currency: 'sek',
        test: true,
      }),
    )
    for (const { body } of cards) {
      const address = `/v1/stored_cards/${body.id}`
      const changes = await Promise.all([
        shop.put(address, { card_holder: 'Berit Berg' }),
        shop.send<TransactionOrError>('DELETE', address),
        shop.put(address, { card_expiry: '1131' }),
      ])
      expect(refusals(changes)).toEqual([])
      expect((await shop.get(address)).body).toMatchObject({
        status: 'cancelled',
        card_holder: 'Berit Berg',
      })
    }
  })

  test('40 parallel payments for a new customer_ref create one customer', async () => {
    const answers = await times(40, () =>
      shop.post('/v1/transactions', payment({ customer_ref: 'a new one' })),
    )
    expect(answers.filter(won)).toHaveLength(40)
    expect(new Set(answers.map(({ body }) => body.customer?.id)).size).toBe(1)
  })

  test('50 parallel payments that store a card for one customer_ref create one customer with 50 cards', async () => {
    const fields = { customer_ref: 'a new keeper', store_card: true }
    const answers = await times(50, () => shop.post('/v1/transactions', payment(fields)))
    expect(refusals(answers)).toEqual([])
    const [customer, ...more] = new Set(answers.map(({ body }) => body.customer?.id))
    expect(more).toEqual([])
    const { body } = await shop.get<StoredCard[]>(`/v1/customers/${customer}/stored_cards`, {
      limit: 1000,
    })
    expect(body.map(({ id }) => id).sort()).toEqual(
      answers.map(({ body }) => body.stored_card?.id).sort(),
    )
    expect(new Set(body.map(({ token }) => token)).size).toBe(50)
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
