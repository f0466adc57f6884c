import { describe, expect, test } from 'vitest'
import { MERCHANT, payment, startGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const NO_LIVE_CARDS = {
  id: 2,
  password: 'password 2',
  secret: 'secret 2',
  settings: { live_cards: 'refuse' },
} as const
/** Valid card number that is not a test card. */
const LIVE_CARD = '4539148803436467'

const shop = await sharedGateway({ merchants: [MERCHANT, NO_LIVE_CARDS] })

const fail = (instructions: object, over = {}) =>
  shop.post(
    '/v1/transactions',
    payment({ metadata: JSON.stringify({ service_instructions: instructions }), ...over }),
  )

describe('metadata.service_instructions', () => {
  for (const [fail_as_code, code, http] of [
    ['errors.payment.declined', 129, 400],
    ['errors.card.do_not_honour', 1302, 400],
    ['errors.transaction.timeout', 1280, 400],
    ['errors.bankprovider.insufficient_funds', 2088, 400],
    ['errors.invoice.credit_check', 225, 400],
    ['errors.unexpected', 133, 400],
    ['errors.customer.not_found', 142, 404],
    ['129', 129, 400],
    [129, 129, 400],
  ] as const)
    test(`let a payment with fail_as_code ${JSON.stringify(fail_as_code)} fail with error ${code} and status ${http}`, async () => {
      const { status, body } = await fail({ fail_as_code })
      expect({ status, code: body.code }).toEqual({ status: http, code })
    })

  test('let a payment with fail_as_message fail with this text in both languages', async () => {
    for (const locale of ['sv', 'en']) {
      const { body } = await fail({ fail_as_message: 'The bank is asleep' }, { locale })
      expect(body).toMatchObject({
        name: 'errors.payment.failed',
        description: 'The bank is asleep',
      })
    }
  })

  test('with both fields let a payment fail with the error of fail_as_code and the text of fail_as_message', async () => {
    const { body } = await fail({ fail_as_code: 'errors.card.expired', fail_as_message: 'Too old' })
    expect(body).toEqual({ name: 'errors.card.expired', code: 130, description: 'Too old' })
  })

  test('with an unknown error let a payment fail with error 144 and an explanation', async () => {
    const { body } = await fail({ fail_as_code: 'errors.no_such' })
    expect(body.code).toBe(144)
    expect(body.description).toContain('errors.no_such')
  })

  test('store the transaction as failed', async () => {
    const metadata = { service_instructions: { fail_as_code: 'errors.payment.failed' } }
    const fields = payment({ metadata: JSON.stringify(metadata) })
    await shop.post('/v1/transactions', fields)
    const { body } = await shop.get<unknown[]>('/v1/transactions', {
      'filter[payment_ref]': fields.payment_ref,
    })
    expect(body).toMatchObject([
      { status: 'failed', status_details: 'errors.payment.failed', metadata },
    ])
  })

  test('take precedence over the CVV', async () => {
    expect((await fail({ fail_as_code: 1302 }, { card_cvv: '201' })).body.code).toBe(1302)
  })

  test('have no effect with test=false', async () => {
    const live = { test: false, card_number: LIVE_CARD }
    expect((await fail({ fail_as_code: 129 }, live)).body.status).toBe('approved')
  })

  for (const nothing of [
    {},
    { fail_as_code: '' },
    { fail_as_code: null },
    { fail_as_code: [129] },
    { other: 1 },
  ])
    test(`without a known field or value are ignored: ${JSON.stringify(nothing)}`, async () => {
      expect((await fail(nothing)).body.status).toBe('approved')
    })
})

describe('a card payment with test=false', () => {
  const live = { test: false, card_number: LIVE_CARD }

  test('is approved for a card that is not a test card, whatever its CVV, and the number is masked', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ ...live, card_cvv: '201' }))
    expect(body).toMatchObject({ status: 'approved', test: false, card_number: '453914******6467' })
  })

  test('is rejected with error 243 if the setting is live_cards=refuse', async () => {
    const { status, body } = await shop.as(NO_LIVE_CARDS).post('/v1/transactions', payment(live))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 243 })
  })

  test('is rejected by default if ownSecretsOnly is set, because others can reach the gateway', async () => {
    const merchant = { id: 1, password: 'a password', secret: 'a secret' }
    const reachable = await startGateway({ ownSecretsOnly: true, merchants: [merchant] })
    const { body } = await reachable.as(merchant).post('/v1/transactions', payment(live))
    expect(body.code).toBe(243)
    await reachable.close()
  })

  test('is rejected by the setting, but a test payment is accepted', async () => {
    expect((await shop.as(NO_LIVE_CARDS).post('/v1/transactions', payment())).body.status).toBe(
      'approved',
    )
  })
})
