/** Tests that `check --init` writes a plan that works. */
import { expect, test } from 'vitest'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import { useGateway } from './fixture.ts'
import { createManualTime } from './manual-time.ts'

const gateway = useGateway()

const init = (url: string, plan?: string) =>
  gateway.command(plan, ['--init', url], { time: createManualTime() })

test('init finds the order call, and where an order shows its payment', async () => {
  const small = await gateway.startSmallShop()
  const { status, plan, printed, file } = await init(small.url)
  expect([status, printed.split('\n')[0]]).toEqual([0, `Wrote ${file}.`])
  expect(printed.match(/Not found: "(\w+)": .* checks /g)).toHaveLength(4)
  expect(printed).toContain(
    'Not found: "retry": { "post": "/buy/{payment_ref}/again" } checks another attempt after a decline',
  )
  expect(JSON.parse(plan)).toEqual({
    buy: { post: '/buy' },
    order: {
      get: '/orders/{payment_ref}.json',
      paid: "status = 'paid'",
      amount: 'amount',
      currency: 'currency',
      fulfilled: 'fulfilled',
      refunded: 'refunded',
    },
    quiet: 1,
  })
  await expect(init(small.url, plan)).rejects.toMatchObject({ exitCode: 2 })
})

test('init buys with the form of the home page', async () => {
  const shop = gateway.closeLater(await startHostedRedirect(gateway.shopOptions()))
  const { plan } = await init(shop.url)
  expect(JSON.parse(plan)).toMatchObject({
    buy: { post: '/orders' },
    order: { paid: "state = 'paid'" },
  })
  const options = { only: ['plain'], time: createManualTime() }
  const { results } = await gateway.run(shop.url, JSON.parse(plan), options)
  expect(results).toMatchObject([{ verdict: 'passed' }])
})
