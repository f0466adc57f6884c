import { expect, test } from 'vitest'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from './client.ts'

const OTHER = { ...MERCHANT, id: 2 }
const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })
const control = controlOf(shop.gateway)

test('the last requests of a merchant are told, the newest first, with what was wrong', async () => {
  await shop.post('/v1/transactions', payment())
  await shop.post('/v1/transactions', payment({ hash: 'wrong' }))
  await shop.as(OTHER).get('/v1/plans')
  const { body } = await control.get('/requests?merchant_id=1')
  expect(body.requests).toMatchObject([
    { route: '/v1/transactions', status: 400, error: 'errors.hash.invalid', explain: expect.stringContaining('***') },
    { at: '2026-03-14T12:00:00.000Z', method: 'POST', status: 200, error: null, merchant_id: 1 },
  ])
  expect((await control.get('/requests?limit=1')).body.requests).toHaveLength(1)
  expect((await control.get('/requests?limit=0')).status).toBe(400)
})
