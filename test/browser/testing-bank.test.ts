import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankOf, fixtures } from '../../mock-gateway/testing/playwright.ts'
import { startGateway, type TestGateway } from '../../mock-gateway/testing.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'

let gateway: TestGateway
let browser: TestBrowser
beforeAll(async () => {
  gateway = await startGateway({ port: 0 })
  browser = await launchBrowser()
})
afterAll(() => gateway.close())

test.each([
  ['approve', true],
  ['fail', false],
  ['leave', false],
] as const)('bank.%s() in the kit of tests ends 3-D Secure with success %s', async (action, success) => {
  const shop = await gateway.shop()
  const mpi_nonce = crypto.randomUUID().replaceAll('-', '')
  const order = shop.order({ card_number: '4000000000001091' })
  const { location = '' } = await shop.client.authenticateOrder({ ...order, mpi_nonce })
  const { page } = await browser.open()
  await page.goto(location)
  await bankOf(page)[action]()
  await expect
    .poll(() => shop.client.getAuthentication(mpi_nonce, { merchant_id: shop.id }))
    .toMatchObject({ status: 'done', success })
})

test('the fixtures of Playwright attach the story of a test that failed, and of no other', async () => {
  const attached: string[] = []
  const info = (status: string) => ({
    status,
    expectedStatus: 'passed',
    attach: async (_name: string, { body }: { readonly body: string }) => void attached.push(body),
  })
  for (const status of ['passed', 'failed'])
    await fixtures.shop({ gateway }, async (shop) => void (await shop.pay({ payment_ref: status })), info(status))
  expect(attached).toEqual([expect.stringMatching(/failed 10\.00 sek approved/)])
})
