import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { connectGateway, startGateway } from '../../../mock-gateway/testing.ts'

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

test('a webhook that a gateway of another process cannot deliver is reported with its reason', async () => {
  const running = await startGateway({ port: 0, webhooks: { addresses: 'strict' } })
  const gateway = await connectGateway(running)
  onTestFinished(async () => {
    await gateway.close()
    await running.close()
  })
  const shop = await gateway.shop()
  await shop.pay()
  await expect
    .poll(() => shop.webhooks.waitFor('payment', { timeout: 1 }).catch(String))
    .toMatch(
      /could not deliver it to http:\/\/127\.0\.0\.1:\d+\/\d+\/payment: 127\.0\.0\.1 may not be called/,
    )
})
