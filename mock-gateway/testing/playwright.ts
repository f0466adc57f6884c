import type { Page } from 'playwright-core'
import { type Bank, createBank } from '../check/payer-at-bank.ts'
import { connectGateway, type Shop, startGateway, type TestGateway } from '../testing.ts'

export { type Bank, createBank } from '../check/payer-at-bank.ts'

/** The used part of Playwright's test information. */
interface TestInfo {
  readonly status?: string | undefined
  readonly expectedStatus: string
  attach(
    name: string,
    options: { readonly body: string; readonly contentType: string },
  ): Promise<void>
}

type Use<Value> = (value: Value) => Promise<void>

/**
 * Fixtures of Playwright: `gateway`, one for each worker (or the gateway of `mondido-gateway
 * exec`); `shop`, a merchant for each test, whose history is attached when the test fails; `bank`,
 * the payer at the bank of 3-D Secure.
 * @example
 * import { test as base } from '@playwright/test'
 * import { fixtures } from 'mondido-gateway/testing/playwright'
 *
 * const test = base.extend(fixtures)
 * test('the payer pays', async ({ page, shop, bank }) => {
 *   await page.goto((await shop.prepare()).href)
 *   await page.getByRole('button', { name: 'Pay' }).click()
 *   await bank.approve()
 * })
 */
export const fixtures = {
  gateway: [
    // Playwright reads the needs of a fixture from its parameters; this one needs nothing.
    async ({ playwright: _unused }: { readonly playwright: unknown }, use: Use<TestGateway>) => {
      const { MONDIDO_BASE_URL: url, MONDIDO_CONTROL_KEY: controlKey } = process.env
      const gateway = await (url && controlKey
        ? connectGateway({ url, controlKey })
        : startGateway({ port: 0 }))
      await use(gateway)
      await gateway.close()
    },
    { scope: 'worker' },
  ],
  async shop({ gateway }: { readonly gateway: TestGateway }, use: Use<Shop>, testInfo: TestInfo) {
    const shop = await gateway.shop()
    await use(shop)
    if (testInfo.status !== testInfo.expectedStatus)
      await testInfo.attach('mondido-gateway', {
        body: await shop.story(),
        contentType: 'text/plain',
      })
  },
  async bank({ page }: { readonly page: Page }, use: Use<Bank>) {
    await use(createBank(page))
  },
} as const
