import { expect, test } from 'vitest'
import { payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

test('the explanation of a decline names its cause, also for a repeated attempt', async () => {
  const fields = payment({ card_cvv: '201', merchant_id: 1, mondido_attempt: 'a'.repeat(32) })
  const explained = async () => {
    const { body, headers } = await shop.post('/v1/transactions', fields)
    return { code: body.code, explain: headers.get('mondido-explain') }
  }
  expect([await explained(), await explained()]).toEqual([
    { code: 129, explain: expect.stringContaining('this CVV means a declined payment') },
    { code: 129, explain: expect.stringContaining('first request with this mondido_attempt') },
  ])
})
