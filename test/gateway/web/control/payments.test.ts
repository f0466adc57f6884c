import { beforeEach, expect, test } from 'vitest'
import { MERCHANT, payment, type TestGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from './client.ts'

const OTHER = { ...MERCHANT, id: 2 }

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })
const control = controlOf(shop.gateway)

beforeEach(async () => void (await control.delete('/payments/next')))

const pay = async (client: Pick<TestGateway, 'post'> = shop, over = {}) => {
  const { body } = await client.post('/v1/transactions', payment(over))
  return body.code ?? body.status
}

test('the next payment gets the forced outcome, and the following payment its usual result', async () => {
  const { body } = await control.post('/payments/next', { outcome: 'errors.payment.declined' })
  expect(body).toEqual({
    next: [
      { id: expect.any(Number), merchant_id: null, outcome: 'errors.payment.declined', times: 1 },
    ],
  })
  expect([await pay(), await pay()]).toEqual([129, 'approved'])
  expect((await control.get('/payments/next')).body).toEqual({ next: [] })
})

test('a forced outcome can be an error code, too, and several outcomes are used in order', async () => {
  await control.post('/payments/next', { outcome: 130, times: 2 })
  await control.post('/payments/next', { outcome: 'approved' })
  expect([await pay(), await pay(), await pay(shop, { card_cvv: '201' })]).toEqual([
    130,
    130,
    'approved',
  ])
})

test('outcomes of a merchant apply only to its payments', async () => {
  await control.post('/payments/next?merchant_id=2', { outcome: 'errors.payment.declined' })
  expect([await pay(), await pay(shop.as(OTHER))]).toEqual(['approved', 129])
})

test('the explanation names the caller that set the forced outcome', async () => {
  await control.post('/payments/next', { outcome: 'errors.payment.declined' })
  const { headers } = await shop.post('/v1/transactions', payment())
  expect(headers.get('mondido-explain')).toContain('/_control/payments/next')
})

test.each([
  [{ outcome: 'perhaps' }, 'outcome must be'],
  [{}, 'outcome must be'],
  [{ outcome: 'approved', times: 0 }, 'times must be'],
  [{ outcome: 'approved', count: 1 }, 'count is not a parameter'],
])('invalid input is rejected: %o', async (fields, explain) => {
  const { status, headers, body } = await control.post('/payments/next', fields)
  expect([status, body.name]).toEqual([400, 'errors.request.bad_format'])
  expect(headers.get('mondido-explain')).toContain(explain)
  expect((await control.get('/payments/next')).body).toEqual({ next: [] })
})

test.each([{}, { seed: '' }, { seed: 'x'.repeat(201) }])(
  'an invalid random seed is rejected: %o',
  async (fields) => {
    expect((await control.post('/seed', fields)).body.name).toBe('errors.request.bad_format')
  },
)
