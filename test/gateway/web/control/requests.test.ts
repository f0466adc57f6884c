import { expect, test } from 'vitest'
import { payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from './client.ts'

const shop = await sharedGateway()
const control = controlOf(shop.gateway)

test('a rejected call for the first merchant is a request of this merchant', async () => {
  await control.post('/payment-links', { uses: 'many' })
  const { body } = await control.get('/requests?merchant_id=1&limit=1')
  expect(body.requests).toMatchObject([{ route: '/_control/payment-links', status: 400 }])
})

test('a request has its contents, without secrets and card numbers', async () => {
  await shop.post('/v1/transactions', payment({ amount: '12.50' }))
  const { requests } = (
    await control.get<{ requests: { request_id: string }[] }>('/requests?limit=1')
  ).body
  const request_id = requests[0]?.request_id
  const { body } = await control.get(`/requests/${request_id}`)
  expect(body).toMatchObject({
    request_id,
    path: '/v1/transactions',
    sent: { amount: '12.50' },
    answer: { amount: '12.50' },
  })
  expect(JSON.stringify(body)).not.toContain('4111111111111111')
  expect((await control.get('/requests/unknown')).status).toBe(404)
  const { id } = (await control.post('/merchants')).body
  expect((await control.get(`/requests/${request_id}?merchant_id=${id}`)).status).toBe(404)
})

test('a request is found by its route and values, or the nearest one is named', async () => {
  await shop.post('/v1/transactions', payment({ amount: '13.00', currency: 'sek' }))
  const find = async (fields: object) =>
    (await control.post('/requests/find', { merchant_id: 1, ...fields })).body
  const route = 'POST /v1/transactions'
  expect(await find({ route, where: { amount: '13.00' } })).toMatchObject({
    request: { sent: { amount: '13.00' } },
    message: null,
  })
  expect(await find({ route, where: { amount: '13.01', currency: 'sek' } })).toEqual({
    request: null,
    message: expect.stringMatching(
      /^No request POST \/v1\/transactions has amount "13.01". The nearest, \S+, has amount "13.00".$/,
    ),
  })
  expect((await find({ route: 'POST /v1/refunds' })).message).toMatch(
    /^No request POST \/v1\/refunds arrived. Requests that arrived: POST \/v1\/transactions/,
  )
  expect((await control.post('/requests/find', { route: 'transactions' })).status).toBe(400)
})
