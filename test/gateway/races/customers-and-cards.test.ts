import { describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/wire.ts'
import { CARD, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { refusals, times, won } from './at-once.ts'

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
