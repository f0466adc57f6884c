import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../../mock-gateway/testing.ts'

test.each([
  ['without a port', {}],
  ['on a port', { port: 0 }],
])('a gateway %s sends nothing over the network that msw could reject', async (_where, options) => {
  const network = setupServer()
  network.listen({ onUnhandledFrame: 'error' })
  onTestFinished(() => network.close())
  const gateway = await startGateway(options)
  const shop = await gateway.shop()
  const { id } = await shop.pay()
  expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(id)
  await gateway.close()
})
