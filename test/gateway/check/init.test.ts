/** Tests that `check --init` writes a plan that works. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { check } from '../../../mock-gateway/cli/check.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { createManualTime } from './manual-time.ts'
import { startSmallShop } from './shop.ts'

let gateway: RunningGateway
let folder: string
let shop: { readonly url: string; close(): Promise<void> } | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  folder = await mkdtemp(join(tmpdir(), 'mondido-init-'))
})
afterEach(() => shop?.close())
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

const reach = () => ({
  url: gateway.url,
  controlKey: gateway.control.key ?? '',
  merchant: gateway.merchant,
})

const shopOptions = () => ({ port: 0, gateway: gateway.addresses, merchant: gateway.merchant })

async function init(url: string, file: string) {
  const printed: string[] = []
  const env = { MONDIDO_BASE_URL: gateway.url, MONDIDO_CONTROL_KEY: gateway.control.key }
  const args = ['--init', url, '--plan', join(folder, file)]
  const time = createManualTime()
  const status = await check(args, env, (text) => void printed.push(text), runGateway, time)
  return { status, printed: printed.join('\n'), plan: await readFile(join(folder, file), 'utf8') }
}

test('init finds the order call, and where an order shows its payment', async () => {
  const small = await startSmallShop(gateway.addresses.base, gateway.merchant)
  shop = small
  const { status, plan, printed } = await init(small.url, 'small.json')
  expect([status, printed.split('\n')[0]]).toEqual([0, `Wrote ${join(folder, 'small.json')}.`])
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
  await expect(init(small.url, 'small.json')).rejects.toMatchObject({ exitCode: 2 })
})

test('init buys with the form of the home page', async () => {
  shop = await startHostedRedirect(shopOptions())
  const { plan } = await init(shop.url, 'redirect.json')
  expect(JSON.parse(plan)).toMatchObject({
    buy: { post: '/orders' },
    order: { paid: "state = 'paid'" },
  })
  const { results } = await runCheck(reach(), readPlan(plan, shop.url, gateway.url), {
    only: ['plain'],
    time: createManualTime(),
  })
  expect(results).toMatchObject([{ verdict: 'passed' }])
})
