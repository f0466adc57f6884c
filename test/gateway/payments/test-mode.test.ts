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

describe('metadata.service_instructions', () => {
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
