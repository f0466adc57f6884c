import { describe, expect, test } from 'vitest'
import { CARD, type Fields, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const started = async (payment_method: string, over: Fields = {}) => {
  const fields = { payment_method, process: true, swish_number: '46701234567', ...over }
  return (await shop.post('/v1/transactions', prepared(fields))).body
}

describe.each([
  ['swish', 3],
  ['bank', 15],
  ['paypal', 15],
])('if the payer does not answer in the app, a payment with %s', (method, minutes) => {
  test(`fails after exactly ${minutes} minutes, and can be paid with another method`, async () => {
    const { id } = await started(method)
    const early = await shop.gateway.clock.advance({ seconds: minutes * 60 - 1 })
    expect(early.happened.filter(({ kind }) => kind === 'answer')).toEqual([])
    const { happened } = await shop.gateway.clock.advance({ seconds: 1 })
    expect(happened.filter(({ kind }) => kind === 'answer')).toMatchObject([
      {
        id,
        what: `the payer did not answer ${method}`,
        facts: { transaction_id: id, status: 'failed' },
      },
    ])
    const { body } = await shop.get(`/v1/transactions/${id}`)
    expect(body).toMatchObject({
      status: 'failed',
      payment_method: method,
      transaction_type: method,
      error: { name: 'errors.transaction.timeout', code: 1280 },
    })
    expect(body.log_events.at(-1)?.data).toMatchObject({
      event: 'charged',
      status: 'failed',
      error: 'errors.transaction.timeout',
    })
    expect((await shop.put(`/v1/transactions/${id}`, CARD)).body.status).toBe('approved')
  })
})

test('a paid, failed or prepared payment does not wait for the payer’s answer', async () => {
  const { id } = await started('bank')
  await shop.put(`/v1/transactions/${id}`, CARD)
  const metadata = '{"service_instructions":{"fail_as_code":"errors.bankprovider.disabled_user"}}'
  await started('bank', { metadata })
  await started('bank', { process: false })
  const { happened } = await shop.gateway.clock.advance({ seconds: 3600 })
  expect(happened.filter(({ kind }) => kind === 'answer')).toEqual([])
})
