import { expect, test } from 'vitest'
import project from '../../../../package.json' with { type: 'json' }
import { startGateway } from '../../../helpers/gateway.ts'

const MOCK = `mondido-gateway/${project.version}`

test.each(['/', '/v1/transactions', '/v1/nothing', '/v2/mondido.js?merchant_id=1', '/health'])(
  'the answer of %s has the header Mondido-Mock',
  async (path) => {
    const shop = await startGateway()
    expect((await shop.browser.get(path)).headers.get('mondido-mock')).toBe(MOCK)
    await shop.close()
  },
)

test('no answer has the header if mockHeader is false', async () => {
  const shop = await startGateway({ mockHeader: false })
  expect((await shop.get('/v1/transactions')).headers.get('mondido-mock')).toBeNull()
  await shop.close()
})
