import { describe, expect, test } from 'vitest'
import { CARD, type Fields, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

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

    test('can be started by an update', async () => {
      const { id } = (await shop.post('/v1/transactions', prepared({ ...method, process: false })))
        .body
      const { body } = await shop.put(`/v1/transactions/${id}`)
      expect(body).toMatchObject({ status: 'pending', payment_method: name })
      expect(body.log_events.at(-1)?.data).toMatchObject({ event: 'started', status: 'pending' })
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

  for (const typed of ['abc', '12345', '4512345678', '46012345678', '46701', `46${'7'.repeat(40)}`])
    test(`${typed} is rejected with error 215`, async () => {
      const { body } = await shop.post(
        '/v1/transactions',
        prepared({ payment_method: 'swish', swish_number: typed }),
      )
      expect(body.code).toBe(215)
    })
})

test('a payment method that an update chooses requires its own fields: error 166', async () => {
  const { id } = (await shop.post('/v1/transactions', prepared())).body
  const fields = { payment_method: 'invoice', process: false }
  expect((await shop.put(`/v1/transactions/${id}`, fields)).body.code).toBe(166)
})

describe('PUT /v2/transactions/<id>', () => {
  test('changes a transaction like /v1', async () => {
    const { id, href } = (await shop.post('/v1/transactions', prepared())).body
    const { body } = await shop.put(`/v2/transactions/${id}`, { amount: '12.00', process: false })
    expect(body).toMatchObject({ status: 'pending', id, href, amount: '12.00' })
  })

  test('pays the transaction', async () => {
    const { id } = (await shop.post('/v1/transactions', prepared())).body
    expect((await shop.put(`/v2/transactions/${id}`, CARD)).body.status).toBe('approved')
  })

  test('requires the password: error 138', async () => {
    const { id } = (await shop.post('/v1/transactions', prepared())).body
    expect((await shop.browser.put(`/v2/transactions/${id}`, { process: false })).body.code).toBe(
      138,
    )
  })

  test('is the only call under /v2: other addresses return error 196', async () => {
    const { id } = (await shop.post('/v1/transactions', prepared())).body
    expect((await shop.get(`/v2/transactions/${id}`)).body.code).toBe(196)
  })
})
