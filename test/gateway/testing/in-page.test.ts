// @vitest-environment happy-dom
// Tests of a front end run in a page, which replaces URL, Request, Response, fetch and others.
import { expect, test } from 'vitest'
import { startGateway } from '../../../mock-gateway/testing.ts'

test.each([
  ['without a port', {}],
  ['on a port', { port: 0 }],
])('in a page, a gateway %s pays and sends webhooks', async (_where, options) => {
  const gateway = await startGateway(options)
  const shop = await gateway.shop()
  const { id } = await shop.pay()
  expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(id)
  const { href } = await shop.prepare()
  expect(await (await gateway.fetch(new Request(href))).text()).toContain('</form>')
  await gateway.close()
})
