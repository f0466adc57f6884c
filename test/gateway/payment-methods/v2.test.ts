import { describe, expect, test } from 'vitest'
import { CARD, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

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
