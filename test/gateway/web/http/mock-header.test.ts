import { expect, test } from 'vitest'
import project from '../../../../package.json' with { type: 'json' }
import { startGateway } from '../../../helpers/gateway.ts'

const MOCK = `mondido-gateway/${project.version}`

test.each(['/', '/v1/transactions', '/v1/nothing', '/v2/mondido.js?merchant_id=1', '/health'])(
  'the answer of %s has the header that marks a mock',
  async (path) => {
    const shop = await startGateway()
    expect((await shop.browser.get(path)).headers.get('mondido-mock')).toBe(MOCK)
    await shop.close()
  },
)

test('with mockHeader false, no answer has that header', async () => {
  const shop = await startGateway({ mockHeader: false })
  expect((await shop.get('/v1/transactions')).headers.get('mondido-mock')).toBeNull()
  await shop.close()
})

test('if others can reach the gateway, only test cards are approved', async () => {
  const merchant = { id: 1, password: 'a password', secret: 'a secret' }
  const shop = await startGateway({ ownSecretsOnly: true, merchants: [merchant] })
  const live = {
    card_number: '4539682995824395',
    test: false,
    amount: '10.00',
    currency: 'sek',
    payment_ref: 'a',
  }
  const card = { card_holder: 'Kim', card_expiry: '1230', card_cvv: '200', card_type: 'VISA' }
  const { body } = await shop.as(merchant).post('/v1/transactions', { ...live, ...card })
  expect(body).toMatchObject({ code: 243 })
  await shop.close()
})
