import { describe, expect, test } from 'vitest'
import { CARD, type Fields, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const NO_LIVE = {
  id: 2,
  password: 'test only',
  secret: 's2',
  settings: { live_cards: 'refuse' as const },
}

const shop = await sharedGateway({ merchants: [MERCHANT, NO_LIVE] })

const METHODS: readonly (readonly [name: string, fields: Fields])[] = [
  ['swish', { payment_method: 'swish', swish_number: '46701234567' }],
  ['bank', { payment_method: 'bank' }],
  ['paypal', { payment_method: 'PayPal' }],
]

for (const [name, method] of METHODS)
  describe(`a payment by ${name}`, () => {
    for (const process of [true, false, undefined])
      test(`waits at its page (href) for the payer with process=${process}`, async () => {
        const { status, body } = await shop.post(
          '/v1/transactions',
          prepared({ ...method, process }),
        )
        expect(status).toBe(200)
        expect(body).toMatchObject({
          status: 'pending',
          payment_method: name,
          transaction_type: null,
          processed_at: null,
          org_auth_amount: 10,
          payment_response: null,
          error: null,
        })
        expect(body.href).toMatch(/\/v1\/form\/[\w-]{22}$/)
      })

    test('has a log entry about its start when it is processed', async () => {
      const { body } = await shop.post('/v1/transactions', prepared({ ...method, process: true }))
      expect(body.log_events.map(({ data }) => data)).toMatchObject([
        { event: 'created', process: true },
        { event: 'started', status: 'pending' },
      ])
    })

    test('ignores card data', async () => {
      const { body } = await shop.post(
        '/v1/transactions',
        prepared({ ...CARD, ...method, process: true }),
      )
      expect(body).toMatchObject({
        status: 'pending',
        card_number: null,
        card_holder: null,
        card_expiry: null,
      })
    })

    test('requires the addresses that the payer returns to: errors 110 and 112', async () => {
      const over = { ...method, process: true }
      expect(
        (await shop.post('/v1/transactions', prepared({ ...over, success_url: undefined }))).body
          .code,
      ).toBe(110)
      expect(
        (await shop.post('/v1/transactions', prepared({ ...over, error_url: undefined }))).body
          .code,
      ).toBe(112)
    })

    test('can be started by an update', async () => {
      const { id } = (await shop.post('/v1/transactions', prepared({ ...method, process: false })))
        .body
      const { body } = await shop.put(`/v1/transactions/${id}`)
      expect(body).toMatchObject({ status: 'pending', payment_method: name })
      expect(body.log_events.at(-1)?.data).toMatchObject({ event: 'started', status: 'pending' })
    })

    test('becomes a card payment if a card is sent', async () => {
      const { id } = (await shop.post('/v1/transactions', prepared({ ...method, process: false })))
        .body
      const { body } = await shop.put(`/v1/transactions/${id}`, CARD)
      expect(body).toMatchObject({
        status: 'approved',
        payment_method: 'credit_card',
        transaction_type: 'credit_card',
      })
    })

    test('fails immediately if service_instructions require it, and is stored', async () => {
      const metadata =
        '{"service_instructions":{"fail_as_code":"errors.bankprovider.disabled_user"}}'
      const fields = prepared({ ...method, process: true, metadata })
      const { body } = await shop.post('/v1/transactions', fields)
      expect(body.code).toBe(2089)
      const [kept] = (
        await shop.get<unknown[]>('/v1/transactions', { 'filter[payment_ref]': fields.payment_ref })
      ).body
      expect(kept).toMatchObject({ status: 'failed', payment_method: name, error: body })
    })

    test('a payment with test=false works in the same way, unless the merchant rejects live payments: error 243', async () => {
      const live = prepared({ ...method, process: true, test: false })
      expect((await shop.post('/v1/transactions', live)).body.status).toBe('pending')
      expect((await shop.as(NO_LIVE).post('/v1/transactions', live)).body.code).toBe(243)
    })
  })

describe.each(METHODS)('a payment by %s with a badly formatted amount', (_name, method) => {
  test('is created, and fails when the payer completes it', async () => {
    const [amount, error_name] = ['10', 'errors.amount.invalid_format']
    const { status, body } = await shop.post(
      '/v1/transactions',
      prepared({ ...method, amount, process: undefined }),
    )
    expect([status, body.status, body.amount]).toEqual([200, 'pending', amount])
    const answer = await shop.browser.send<string>(
      'POST',
      new URL(body.href).pathname,
      'action=answer&answer=approved',
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(error_name),
    ])
    const after = (await shop.get(`/v1/transactions/${body.id}`)).body
    expect(after).toMatchObject({ status: 'failed', amount, error: { name: error_name } })
  })

  test('fails when the payer cancels it, or does not answer in time', async () => {
    const create = async () =>
      (await shop.post('/v1/transactions', prepared({ ...method, amount: '10', process: true })))
        .body
    const [canceled, forgotten] = [await create(), await create()]
    await shop.browser.send(
      'POST',
      new URL(canceled.href).pathname,
      'action=answer&answer=canceled',
    )
    await shop.gateway.clock.advance({ seconds: 1200 })
    for (const { id } of [canceled, forgotten])
      expect((await shop.get(`/v1/transactions/${id}`)).body.status).toMatch(/declined|failed/)
  })
})

describe('a Swish number', () => {
  for (const [typed, shown] of [
    ['46701234567', '46701234567'],
    ['+46 70 123 45 67', '46701234567'],
    ['0046701234567', '46701234567'],
    ['070-123 45 67', '46701234567'],
    ['4671234768', '4671234768'],
  ] as const)
    test(`${typed} is stored as ${shown}`, async () => {
      const { body } = await shop.post(
        '/v1/transactions',
        prepared({ payment_method: 'swish', swish_number: typed }),
      )
      expect(body.payment_details?.swish_number).toBe(shown)
    })

  test('can be sent in payment_details', async () => {
    const fields = {
      payment_method: 'swish',
      process: true,
      payment_details: '{"swish_number":"0701234567"}',
    }
    expect(
      (await shop.post('/v1/transactions', prepared(fields))).body.payment_details?.swish_number,
    ).toBe('46701234567')
  })

  for (const typed of ['abc', '12345', '4512345678', '46012345678', '46701', `46${'7'.repeat(40)}`])
    test(`${typed} is rejected with error 215`, async () => {
      const { body } = await shop.post(
        '/v1/transactions',
        prepared({ payment_method: 'swish', swish_number: typed }),
      )
      expect(body.code).toBe(215)
    })

  test('is required when the payment is processed: error 215', async () => {
    const fields = { payment_method: 'swish', process: true }
    expect((await shop.post('/v1/transactions', prepared(fields))).body.code).toBe(215)
  })

  test('can be omitted in a prepared payment, for the page or an update', async () => {
    const { id, status } = (
      await shop.post('/v1/transactions', prepared({ payment_method: 'swish' }))
    ).body
    expect(status).toBe('pending')
    expect((await shop.put(`/v1/transactions/${id}`)).body.code).toBe(215)
    const { body } = await shop.put(`/v1/transactions/${id}`, { swish_number: '0701234567' })
    expect(body).toMatchObject({
      status: 'pending',
      payment_details: { swish_number: '46701234567' },
    })
  })

  test('a Swish number of another method is stored unchecked', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ swish_number: 'none' }))
    expect(body).toMatchObject({ status: 'approved', payment_details: { swish_number: 'none' } })
  })
})

describe('a payment method that an update chooses', () => {
  test('replaces the previous method', async () => {
    const { id } = (await shop.post('/v1/transactions', prepared())).body
    const chosen = await shop.put(`/v1/transactions/${id}`, {
      payment_method: 'bank',
      process: false,
    })
    expect(chosen.body).toMatchObject({ status: 'pending', payment_method: 'bank' })
    const back = await shop.put(`/v1/transactions/${id}`, {
      payment_method: 'my_module',
      process: false,
    })
    expect(back.body.payment_method).toBe('credit_card')
  })

  test('requires its own fields: error 166', async () => {
    const { id } = (await shop.post('/v1/transactions', prepared())).body
    const fields = { payment_method: 'invoice', process: false }
    expect((await shop.put(`/v1/transactions/${id}`, fields)).body.code).toBe(166)
  })

  test('deletes the declined card', async () => {
    const fields: Fields = { ...prepared(), ...CARD, card_cvv: '201', process: true }
    await shop.post('/v1/transactions', fields)
    const query = { 'filter[payment_ref]': fields.payment_ref }
    const [declined] = (await shop.get<readonly { id: number }[]>('/v1/transactions', query)).body
    const { body } = await shop.put(`/v1/transactions/${declined?.id}`, {
      payment_method: 'paypal',
    })
    expect(body).toMatchObject({
      status: 'pending',
      payment_method: 'paypal',
      transaction_type: null,
      card_number: null,
      card_type: null,
      error: null,
      fail_message: '',
    })
  })

  test('is rejected after the transaction is paid: error 153', async () => {
    const { id } = (await shop.post('/v1/transactions', payment())).body
    const fields = { payment_method: 'bank', process: false }
    expect((await shop.put(`/v1/transactions/${id}`, fields)).body.code).toBe(153)
  })
})

test('the page accepts a card for a payment with another method, and rejects an empty form', async () => {
  const { href } = (await shop.post('/v1/transactions', prepared({ payment_method: 'bank' }))).body
  const path = new URL(href).pathname
  expect((await shop.browser.send('POST', path, '')).status).toBe(422)
  const paid = await shop.browser.send('POST', path, String(new URLSearchParams(CARD)))
  expect(paid.status).toBe(303)
  expect(new URL(String(paid.headers.get('location'))).searchParams.get('status')).toBe('approved')
})

test('the form endpoint leads a payment with another method to its page, whatever fields the form has', async () => {
  const fields = {
    ...CARD,
    ...prepared({ payment_method: 'paypal', process: undefined, merchant_id: 1 }),
  }
  const { status, headers } = await shop.browser.post('/v1/form', fields)
  expect(status).toBe(303)
  expect(headers.get('location')).toMatch(/\/v1\/form\/[\w-]{22}$/)
})
