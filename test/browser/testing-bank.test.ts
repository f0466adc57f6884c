import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Bank, createBank, fixtures } from '../../mock-gateway/testing/playwright.ts'
import { type Shop, startGateway } from '../../mock-gateway/testing.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { program, runProgram } from '../helpers/documents.ts'
import { serve } from '../helpers/listening.ts'
import { share } from '../helpers/shared.ts'

const gateway = await share(startGateway({ port: 0 }))
const browser = await launchBrowser()

/** A card for each challenge type. */
const CARDS = [
  '4000000000001091',
  '4000000000001208',
  '4000000000001216',
  '4000000000001224',
  '4000000000001232',
]

test.each([
  ['approve', true],
  ['fail', false],
  ['leave', false],
] as const)(
  'bank.%s() of the test kit ends 3-D Secure, with success: %s',
  async (action, success) => {
    const shop = await gateway.shop()
    const { page } = await browser.open()
    for (const card of CARDS) {
      const mpi_nonce = crypto.randomUUID().replaceAll('-', '')
      const { location = '' } = await shop.client.authenticateOrder({
        ...shop.order({ card_number: card }),
        mpi_nonce,
      })
      await page.goto(location)
      await createBank(page)[action]()
      await expect
        .poll(() => shop.client.getAuthentication(mpi_nonce, { merchant_id: shop.id }), {
          message: card,
        })
        .toMatchObject({ status: 'done', success })
      await page.waitForURL('**/v1/mpi_js/result/**')
    }
  },
)

test("after an answer in the app's window, the page in the frame continues by itself", async () => {
  const shop = await gateway.shop()
  const fields = Object.entries(shop.order({ card_number: '4000000000001232' })).map(
    ([name, value]) => `<input name="${name}" value="${String(value)}">`,
  )
  const { page } = await browser.open({ locale: 'en' })
  const body = `<form action="${gateway.url}/v1/mpi_js" method="post" target="bank">${fields.join('')}<button>Pay</button></form>
    <iframe name="bank" width="600" height="700"></iframe>`
  const server = await serve((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end(body),
  )
  onTestFinished(server.close)
  await page.goto(server.url)
  await page.click('button')
  const bank = page.frameLocator('iframe')
  const [app] = await Promise.all([
    page.context().waitForEvent('page'),
    bank.getByTestId('bank-app').click(),
  ])
  await app.getByTestId('bank-answer-scan').click()
  await bank.getByText('The code has been scanned.').waitFor()
  await app.getByTestId('bank-answer-sign').click()
  await app.getByText('You answered: Sign.').waitFor()
  await bank.getByText('Verification complete').waitFor()
})

test('the Playwright fixtures attach the story of a failed test, and of no other test', async () => {
  const attached: string[] = []
  const info = (status: string) => ({
    status,
    expectedStatus: 'passed',
    attach: async (_name: string, { body }: { readonly body: string }) => void attached.push(body),
  })
  for (const status of ['passed', 'failed'])
    await fixtures.shop(
      { gateway },
      async (shop) => void (await shop.pay({ payment_ref: status })),
      info(status),
    )
  expect(attached).toEqual([expect.stringMatching(/failed 10\.00 sek approved/)])
})

describe('docs/reference/test-kit.md, Playwright:', () => {
  /**
   * Parts of `@playwright/test` that the program uses. The package itself is not a dependency of
   * this project.
   */
  const base = {
    extend:
      () =>
      (title: string, body: (given: { page: Page; shop: Shop; bank: Bank }) => Promise<void>) =>
        test(title, async () => {
          const { page } = await browser.open({ locale: 'en' })
          await body({ page, shop: await gateway.shop(), bank: createBank(page) })
        }),
  }
  const modules = {
    '@playwright/test': { test: base },
    'mondido-gateway/testing/playwright': { fixtures },
  }
  return runProgram(program('docs/reference/test-kit.md', 'bank.spec.ts'), modules)
})
