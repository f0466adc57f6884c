import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { payment, prepared, START } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const shop = await sharedGateway()

describe('a card payment', () => {
  test('is approved immediately with status 200', async () => {
    const { status, body } = await shop.post('/v1/transactions', payment({ payment_ref: 'A100' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      merchant_id: 1,
      amount: '10.00',
      currency: 'sek',
      payment_ref: 'A100',
      test: true,
      status: 'approved',
      fail_message: '',
      error: null,
      transaction_type: 'credit_card',
      payment_method: 'credit_card',
      card_holder: 'Anna Andersson',
      card_number: '411111******1111',
      card_expiry: '1230',
      card_type: 'VISA',
      authorize: false,
      org_auth_amount: 10,
      processed_at: '2026-03-14T12:00:00Z',
    })
  })

  test('contains its cost', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ currency: 'eur' }))
    expect(body.cost).toEqual({
      id: body.id,
      percentual_fee: '0.025',
      fixed_fee: '0.025',
      percentual_exchange_fee: '0.035',
      vat_rate: '0',
      total: '0.625',
    })
  })

  test('requires no return addresses and shows both as null', async () => {
    const { body } = await shop.post('/v1/transactions', payment())
    expect(body).toMatchObject({ success_url: null, error_url: null })
  })

  test('a payment with authorize=true reserves the money', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ authorize: true }))
    expect(body).toMatchObject({
      status: 'authorized',
      authorize: true,
      org_auth_amount: 10,
      captures: [],
    })
  })

  test('is returned with the same fields as in a later GET', async () => {
    const { body } = await shop.post('/v1/transactions', payment())
    expect((await shop.get(`/v1/transactions/${body.id}`)).body).toEqual(body)
  })

  for (const [typed, brand] of [
    ['4111 1111 1111 1111', 'VISA'],
    ['5555-5555-5555-4444', 'MASTERCARD'],
    ['378282246310005', 'AMEX'],
    ['30569309025904', 'DINERS'],
    ['6011111111111117', 'DISCOVER'],
    ['3530111333300000', 'JCB'],
  ] as const)
    test(`a payment with ${typed} is a ${brand}, even if card_type differs`, async () => {
      const { body } = await shop.post(
        '/v1/transactions',
        payment({ card_number: typed, card_type: 'maestro' }),
      )
      expect(body).toMatchObject({ status: 'approved', card_type: brand })
    })

  for (const type of ['VISA', 'visa', 'master', 'VISA ELECTRON', ''])
    test(`accepts the card_type "${type}"`, async () => {
      expect((await shop.post('/v1/transactions', payment({ card_type: type }))).status).toBe(200)
    })
})

describe('the CVV decides', () => {
  for (const [cvv, code, name] of [
    ['201', 129, 'errors.payment.declined'],
    ['202', 125, 'errors.card_cvv.invalid'],
    ['203', 130, 'errors.card.expired'],
  ] as const)
    test(`a card with CVV ${cvv} gets error ${code}, and the transaction is stored as declined`, async () => {
      const fields = payment({ card_cvv: cvv })
      const { status, body } = await shop.post('/v1/transactions', fields)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code, name })
      const [kept] = (
        await shop.get<unknown[]>('/v1/transactions', { 'filter[payment_ref]': fields.payment_ref })
      ).body
      expect(kept).toMatchObject({
        status: 'declined',
        status_details: name,
        error: body,
        fail_message: body.description,
        org_auth_amount: 10,
        provider_ref: '',
        processed_at: null,
        cost: { total: '0' },
        payment_response: { result: 'declined', error: name },
      })
    })

  for (const cvv of ['200', '999', '1234'])
    test(`a card with CVV ${cvv} is approved`, async () => {
      expect((await shop.post('/v1/transactions', payment({ card_cvv: cvv }))).body.status).toBe(
        'approved',
      )
    })
})

const FREE = {
  percentual_fee: '0',
  fixed_fee: '0',
  percentual_exchange_fee: '0',
  vat_rate: '0',
  total: '0',
}

describe('process=false', () => {
  test('prepares a transaction that the payer completes at href', async () => {
    const { status, body } = await shop.post('/v1/transactions', prepared({ payment_ref: 'B1' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'pending',
      transaction_type: null,
      card_number: null,
      card_type: null,
      processed_at: null,
      org_auth_amount: 10,
      provider_ref: '',
      customer_name: '',
      cost: { id: body.id, ...FREE },
      success_url: 'https://shop.example/thanks',
      error_url: 'https://shop.example/sorry',
    })
    expect(body.href).toMatch(/^http:\/\/localhost:4400\/v1\/form\/[\w-]{22}$/)
  })

  test('ignores card data', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      prepared({ card_expiry: '9999', card_number: '1' }),
    )
    expect(body).toMatchObject({ status: 'pending', card_number: null, card_expiry: null })
  })

  for (const method of ['swish', 'paypal', 'bank', 'invoice'])
    test(`stores the payment_method ${method}`, async () => {
      const details = {
        items: '[{"artno":"1","description":"Cup","amount":10,"qty":"1","vat":"25"}]',
      }
      const fields = prepared({ payment_method: method, swish_number: '46701234567', ...details })
      const payer =
        '{"personal_number":"191212121212","first_name":"Anna","last_name":"A","country_code":"SWE"}'
      const { body } = await shop.post('/v1/transactions', { ...fields, payment_details: payer })
      expect(body).toMatchObject({ status: 'pending', payment_method: method })
    })

  test('treats an unknown method as a card payment', async () => {
    const { body } = await shop.post('/v1/transactions', prepared({ payment_method: 'my_module' }))
    expect(body.payment_method).toBe('credit_card')
  })
})

describe('an additional field of a merchant:', () => {
  test('vat_amount is returned with two decimals, however it was written', async () => {
    for (const [sent, answered] of [
      ['2.00', '2.00'],
      ['0', '0.00'],
      ['12.4', '12.40'],
    ])
      expect(
        (await shop.post('/v1/transactions', prepared({ vat_amount: sent }))).body.vat_amount,
      ).toBe(answered)
  })

  test('customer_ref creates a customer, one for each ref', async () => {
    const first = await shop.post('/v1/transactions', payment({ customer_ref: 'c42' }))
    const second = await shop.post('/v1/transactions', prepared({ customer_ref: 'c42' }))
    expect(first.body).toMatchObject({ ref: 'c42', customer: { id: expect.any(Number) } })
    expect(second.body.customer).toEqual(first.body.customer)
  })

  test('order_id replaces a missing payment_ref', async () => {
    const fields = prepared({ payment_ref: undefined, order_id: 'old-client-1' })
    const hash = md5(`1old-client-110.00sektest${shop.merchant.secret}`)
    expect((await shop.post('/v1/transactions', { ...fields, hash })).body.payment_ref).toBe(
      'old-client-1',
    )
  })

  test("the merchant's own merchant_id is accepted, and any other is rejected with error 202", async () => {
    expect((await shop.post('/v1/transactions', payment({ merchant_id: 1 }))).status).toBe(200)
    expect((await shop.post('/v1/transactions', payment({ merchant_id: 2 }))).body.code).toBe(202)
  })

  test('list parameters on a POST are ignored', async () => {
    expect(
      (await shop.post('/v1/transactions', payment({ start_id: 0, limit: 9_999_999 }))).status,
    ).toBe(200)
  })

  test('parameters can be in the query as well as in the body', async () => {
    const fields = Object.entries(payment({ payment_ref: 'in-the-query' }))
    const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
    query.set('hash', md5(`1in-the-query10.00sektest${shop.merchant.secret}`))
    expect((await shop.send('POST', `/v1/transactions?${query}`)).body.status).toBe('approved')
  })

  test('fields that only the gateway sets are ignored', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      prepared({
        status: 'approved',
        id: 999_999,
        created_at: '2001-01-01T00:00:00Z',
        processed_at: '2001-01-01T00:00:00Z',
        cost: '{"total":"0"}',
        refunds: '[{"amount":"10.00"}]',
        org_auth_amount: 5,
        card_brand: 'x',
        href: 'https://evil.example',
        log_events: '[]',
        response_hash: 'x',
      }),
    )
    expect(body).toMatchObject({
      status: 'pending',
      created_at: '2026-03-14T12:00:00Z',
      processed_at: null,
      cost: FREE,
      refunds: [],
      org_auth_amount: 10,
    })
    expect(body.id).not.toBe(999_999)
    expect(body.href).not.toContain('evil')
  })

  test('an unknown plan_id is rejected with error 135', async () => {
    expect((await shop.post('/v1/transactions', payment({ plan_id: 3 }))).body.code).toBe(135)
  })

  test('the clock of the gateway sets all dates', async () => {
    const { body } = await shop.post('/v1/transactions', payment())
    expect(Date.parse(body.created_at)).toBe(START)
    expect(body.log_events.map(({ created_at }) => Date.parse(created_at))).toEqual([START, START])
  })
})
