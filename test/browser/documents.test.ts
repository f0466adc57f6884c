import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestHash } from '../../examples/shared/payment.ts'
import { findGateway } from '../../mock-gateway/testing.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { program, runProgram } from '../helpers/documents.ts'
import { serveCheckoutPage, serveLibraryReadme, serveReactPage } from './pages-of-documents.ts'

let checkout: Checkout
let browser: TestBrowser

beforeAll(async () => {
  checkout = await startCheckout()
  browser = await launchBrowser()
})
afterAll(async () => {
  await checkout.close()
})

/**
 * Pays with the form of a page: first with a card that is declined, then with a card that gets a
 * challenge.
 */
async function payTwice(page: Page, paymentRef: string) {
  await page.getByLabel('Name').fill('Kim Berg')
  await page.getByLabel('Card').fill('4111 1111 1111 1111')
  await page.getByLabel('Expires').fill('1230')
  await page.getByLabel('CVV').fill('201')
  await page.getByRole('button').click()
  await page.locator('#message', { hasText: 'Payment declined' }).waitFor()
  await page.getByLabel('Card').fill('4000 0000 0000 1091')
  await page.getByLabel('CVV').fill('200')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button').click()
  const bank = await opened
  await bank.getByLabel('One-time code').fill('1234')
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await page.locator('#message', { hasText: `${paymentRef} is approved` }).waitFor()
  expect(await checkout.transactionsOf(paymentRef)).toMatchObject([
    { status: 'declined' },
    { status: 'approved' },
  ])
}

test('the page of README pays as pasted', async () => {
  const { page } = await browser.open()
  await page.goto(await serveCheckoutPage(checkout.gateway))
  await payTwice(page, 'A200')
})

test('the page of sdk/README.md pays under Vite as pasted', async () => {
  const { page } = await browser.open()
  await page.goto(await serveLibraryReadme(checkout.gateway))
  await payTwice(page, 'A300')
})

test('the component of docs/start/react-and-vite.md pays in StrictMode as pasted', async () => {
  const { page } = await browser.open()
  const { merchant } = checkout.gateway
  const payment = { payment_ref: 'A400', amount: '10.00', currency: 'sek', test: true }
  const hash = requestHash(payment, merchant)
  await page.goto(
    await serveReactPage(checkout.gateway, {
      ...payment,
      test: 'true',
      merchant_id: String(merchant.id),
      hash,
    }),
  )
  await payTwice(page, 'A400')
})

describe('docs/how-to/test-in-a-browser.md, Playwright:', () => {
  /**
   * Parts of `@playwright/test` that the program uses. The package itself is not a dependency of
   * this project.
   */
  const playwright = {
    test: (title: string, body: (fixtures: { page: Page }) => Promise<void>) =>
      test(title, async () => {
        const { page } = await browser.open({ baseURL: checkout.shop.url })
        await body({ page })
      }),
    expect: (locator: Locator) => ({ toBeVisible: () => locator.waitFor() }),
  }
  return runProgram(program('docs/how-to/test-in-a-browser.md', 'checkout.spec.js'), {
    '@playwright/test': playwright,
  })
})

describe('Cypress', () => {
  const GUIDE = 'docs/how-to/test-in-a-browser.md'

  type Task = (given: unknown) => Promise<unknown>
  let tasks: Readonly<Record<string, Task>>
  let close: () => Promise<void>

  beforeAll(async () => {
    checkout = await startCheckout()
    browser = await launchBrowser()
    tasks = await tasksOfGuide()
  })
  afterAll(async () => {
    await close()
    await checkout.close()
  })

  /** Runs cypress.config.js like Cypress, and returns its tasks, which are functions in Node. */
  async function tasksOfGuide(): Promise<Readonly<Record<string, Task>>> {
    const { url, control } = checkout.gateway
    const env = { MONDIDO_BASE_URL: url, MONDIDO_CONTROL_KEY: control.key }
    const modules: Record<string, object> = {
      cypress: { defineConfig: (config: object) => config },
      'mondido-gateway/testing': { findGateway: () => findGateway(env) },
    }
    await runProgram(program(GUIDE, 'cypress.config.js'), modules)
    let found: Readonly<Record<string, Task>> = {}
    const { e2e } = modules.default as { e2e: { setupNodeEvents(on: unknown): Promise<void> } }
    await e2e.setupNodeEvents((event: string, given: never) => {
      if (event === 'task') found = given
      else close = given
    })
    return found
  }

  /**
   * Creates a replacement for Cypress, whose program must be downloaded from its own server. It
   * queues the commands of the guide, and runs them in Chromium.
   */
  function createCypress() {
    const queue: (() => Promise<unknown>)[] = []
    const commands: Record<string, (given?: unknown) => void> = {}
    const page = browser.open().then(({ page }) => page)
    const add = (step: () => Promise<unknown>) => void queue.push(step)
    const cy = {
      visit: (path: string) => add(async () => (await page).goto(checkout.shop.url + path)),
      task: (name: string, given: unknown) => add(async () => tasks[name]?.(given)),
      get: (selector: string) => {
        const element = {
          clear: () => element,
          type: (text: string) => add(async () => (await page).fill(selector, text)),
        }
        return element
      },
      contains(...given: string[]) {
        const text = given.at(-1) as string
        const found = async () =>
          (await page).locator(
            given.length > 1 ? `${given[0]}:has-text("${text}")` : `text=${text}`,
          )
        if (given.length === 1) add(async () => (await found()).first().waitFor())
        return { click: () => add(async () => (await found()).first().click()) }
      },
    }
    const Cypress = {
      Commands: {
        add(name: string, command: (given?: unknown) => void) {
          commands[name] = command
        },
      },
    }
    return { queue, globals: { cy: Object.assign(cy, { commands }), Cypress } }
  }

  describe(`${GUIDE}, Cypress:`, () => {
    test('the spec passes with the support command and the tasks of the guide', async () => {
      const { queue, globals } = createCypress()
      const run = (name: string, values: object) =>
        new Function(...Object.keys(values), program(GUIDE, name))(...Object.values(values))
      run('cypress/support/e2e.js', globals)
      Object.assign(globals.cy, globals.cy.commands)
      run('cypress/e2e/checkout.cy.js', {
        ...globals,
        it: (_title: string, body: () => void) => body(),
      })
      expect(queue.length).toBeGreaterThan(10)
      for (const step of queue) await step()
    })

    test('the tasks that the spec does not use move the clock and find requests', async () => {
      expect(await tasks['gateway:advance']?.({ months: 1 })).toMatchObject({
        now: expect.any(String),
      })
      const route = 'POST /v1/transactions'
      expect(await tasks['gateway:request']?.({ route, where: {} })).toMatchObject({
        request: { route: '/v1/transactions' },
      })
    })
  })
})
