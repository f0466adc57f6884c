import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { type Fields, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway({
  merchants: [
    MERCHANT,
    { id: 2, password: 'only visa', secret: 's2', settings: { card_types: ['visa'] } },
  ],
})

test('a brand without a contract of the merchant is rejected with error 121', async () => {
  const only = shop.as({ id: 2, password: 'only visa', secret: 's2' })
  expect(
    (await only.post('/v1/transactions', payment({ card_number: '378282246310005' }))).body.code,
  ).toBe(121)
  expect((await only.post('/v1/transactions', payment())).status).toBe(200)
})

describe('a payment_ref', () => {
  const ofOrder = async (payment_ref: Fields[string]) =>
    (await shop.get<Transaction[]>('/v1/transactions', { 'filter[payment_ref]': payment_ref })).body

  test('a payment_ref of unpaid transactions can be used again, until one of them is paid', async () => {
    const fields = payment()
    const { payment_ref } = fields
    for (const unpaid of [
      prepared({ payment_ref }),
      { ...fields, card_cvv: '201' },
      prepared({ payment_ref, payment_method: 'swish', swish_number: '0701234567', process: true }),
      prepared({ payment_ref }),
      fields,
    ])
      await shop.post('/v1/transactions', unpaid)
    const statuses = (await ofOrder(payment_ref)).map(({ status }) => status)
    expect(statuses).toEqual(['approved', 'pending', 'pending', 'declined', 'pending'])
  })
})

test('a payment that is rejected before the bank is asked leaves no data', async () => {
  const payment_ref = 'leaves-nothing'
  await shop.post(
    '/v1/transactions',
    payment({ payment_ref, customer_ref: 'nobody', card_number: '1' }),
  )
  const { headers, body } = await shop.get('/v1/transactions', {
    'filter[payment_ref]': payment_ref,
  })
  expect(body).toEqual([])
  expect(headers.get('content-range')).toBe('items 0-0/0')
})

test('no explanation contains the card', async () => {
  for (const [name, value] of [
    ['card_number', '4111111111111112'],
    ['card_number', '4539148803436467'],
    ['card_cvv', '98765'],
    ['card_holder', '4111 1111 1111 1111'],
    ['card_type', '4111111111111111'],
    ['card_expiry', '4111111111111111'],
  ] as const) {
    const { status, headers, body } = await shop.post(
      '/v1/transactions',
      payment({ [name]: value }),
    )
    expect(status).toBe(400)
    expect(`${headers.get('mondido-explain')} ${JSON.stringify(body)}`).not.toContain(value)
  }
})

describe('a payment charges the exact amount:', () => {
  for (const [amount, currency] of [
    ['0.01', 'sek'],
    ['90071992547409.91', 'sek'],
    ['10.00', 'JPY'],
    ['1.23', 'kwd'],
  ] as const)
    test(`${amount} ${currency}`, async () => {
      const { body } = await shop.post('/v1/transactions', payment({ amount, currency }))
      expect(body).toMatchObject({ status: 'approved', amount, org_auth_amount: Number(amount) })
    })
})

test('a payment with test=false is rejected by default if ownSecretsOnly is set, because others can reach the gateway', async () => {
  const merchant = { id: 1, password: 'a password', secret: 'a secret' }
  const reachable = await openGateway({ ownSecretsOnly: true, merchants: [merchant] })
  const live = payment({ test: false, card_number: '4539148803436467' })
  expect((await reachable.as(merchant).post('/v1/transactions', live)).body.code).toBe(243)
})
