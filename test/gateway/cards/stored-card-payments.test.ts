import { describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/wire.ts'
import { createMerchant, type Fields, MERCHANT, payment, URLS } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { newPlan } from '../subscriptions/new-subscription.ts'

const ASKING = createMerchant(3, { stored_card_cvv: true })

const shop = await sharedGateway({ merchants: [MERCHANT, ASKING] })

/** Pays and stores the card. */
async function store(over: Fields = {}): Promise<StoredCard> {
  const { body } = await shop.post(
    '/v1/transactions?extend=stored_card',
    payment({ store_card: true, ...over }),
  )
  return body.stored_card as StoredCard
}

/** Pays with a token, as merchants' servers do: no holder, CVV or expiry. */
const payWith = (token: string, over: Fields = {}) =>
  shop.post('/v1/transactions', {
    ...payment(over),
    card_number: token,
    card_type: 'STORED_CARD',
    card_holder: undefined,
    card_cvv: undefined,
    card_expiry: undefined,
  })

/** Counts the stored cards of the merchant. */
const cards = async () =>
  (await shop.get('/v1/stored_cards', { limit: 1 })).headers.get('content-range')?.split('/')[1]

describe('store_card', () => {
  describe('that metadata lets fail in test mode', () => {
    const FAILING = ['errors.stored_card.store.declined', '4001', 4001]
    const failing = (fail_as_code: string | number, over: Fields = {}) =>
      payment({ 'metadata[service_instructions][fail_as_code]': fail_as_code, ...over })

    for (const code of FAILING)
      test(`a store_card failure with fail_as_code ${JSON.stringify(code)} still lets the payment succeed, and the log reports it`, async () => {
        const before = await cards()
        const { status, body } = await shop.post(
          '/v1/transactions',
          failing(code, { store_card: true }),
        )
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { status: 'approved', stored_card: null },
        })
        expect(body.log_events.map(({ data }) => data)).toContainEqual(
          expect.objectContaining({
            event: 'not_stored',
            error: 'errors.stored_card.store.declined',
          }),
        )
        expect(await cards()).toBe(before)
        expect((await shop.get(`/v1/transactions/${body.id}`)).body).toEqual(body)
      })

    test('fails a payment with a token, because its card is stored already', async () => {
      const { token } = await store()
      const over = { store_card: true, 'metadata[service_instructions][fail_as_code]': 4001 }
      expect((await payWith(token, over)).body.code).toBe(4001)
    })
  })
})

describe('a payment with a token', () => {
  test.each([
    ['201', { status: 400, name: 'errors.payment.declined' }],
    ['20', { status: 400, name: 'errors.card_cvv.invalid' }],
    ['200', { status: 200, name: undefined }],
    [undefined, { status: 200, name: undefined }],
  ])(
    'the CVV %s of a payment with a token is checked if the merchant requires it, and only then',
    async (card_cvv, judged) => {
      const sent = {
        card_type: 'STORED_CARD',
        card_holder: undefined,
        card_expiry: undefined,
        card_cvv,
      }
      for (const [client, expected] of [
        [shop.as(ASKING), judged],
        [shop, { status: 200, name: undefined }],
      ] as const) {
        const stored = await client.post<{ stored_card: StoredCard }>(
          '/v1/transactions?extend=stored_card',
          payment({ store_card: true }),
        )
        const { token } = stored.body.stored_card
        const { status, body } = await client.post(
          '/v1/transactions',
          payment({ ...sent, card_number: token }),
        )
        expect({ status, name: body.name }).toEqual(expected)
      }
    },
  )

  for (const [what, token, code] of [
    ['is unknown: 137', '0123456789abcdef0123456789abcdef', 137],
    ['is not a token: 4002', '4111111111111111', 4002],
    ['is in upper case: 4002', '0123456789ABCDEF0123456789ABCDEF', 4002],
    ['is missing: 118', '', 118],
  ] as const)
    test(`with a token that ${what}`, async () =>
      expect((await payWith(token)).body.code).toBe(code))
})

describe('a token of a card that is for recurring payments', () => {
  const recurring = async (): Promise<StoredCard> => {
    const { id } = await store()
    return (await shop.put<StoredCard>(`/v1/stored_cards/${id}`, { recurring: true })).body
  }

  test('pays a prepared transaction with a plan, but no other prepared transaction', async () => {
    const { token } = await recurring()
    const pay = async (order: Fields) => {
      const { id } = (
        await shop.post('/v1/transactions', payment({ process: false, ...URLS, ...order }))
      ).body
      return (
        await shop.put(`/v1/transactions/${id}`, { card_number: token, card_type: 'STORED_CARD' })
      ).body
    }
    expect(
      await pay({ plan_id: (await newPlan(shop, { prices: '{"sek":"10.00"}' })).id }),
    ).toMatchObject({ status: 'approved' })
    expect(await pay({})).toMatchObject({ code: 1680 })
  })
})

describe('a card whose customer was deleted', () => {
  test('pays for no particular customer', async () => {
    const { token, customer } = await store({ customer_ref: 'deleted' })
    await shop.send('DELETE', `/v1/customers/${customer?.id}`)
    const { body } = await payWith(token)
    expect(body).toMatchObject({ status: 'approved', customer: null })
  })

  test('pays for the customer in the transaction', async () => {
    const { token, customer } = await store({ customer_ref: 'deleted' })
    await shop.send('DELETE', `/v1/customers/${customer?.id}`)
    const { body } = await payWith(token, { customer_ref: 'somebody' })
    expect((await shop.get(`/v1/customers/${body.customer?.id}`)).body).toMatchObject({
      ref: 'somebody',
    })
  })
})

test('a stored card that has expired is declined with error 130', async () => {
  const { token } = await store({ card_expiry: '0326' })
  shop.clock.advance(18 * 24 * 3_600_000)
  expect((await payWith(token)).body.code).toBe(130)
})
