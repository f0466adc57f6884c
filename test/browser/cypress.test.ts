import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findGateway } from '../../mock-gateway/testing.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { program, runProgram } from '../helpers/documents.ts'

const GUIDE = 'docs/how-to/test-in-a-browser.md'

type Task = (given: unknown) => Promise<unknown>

let checkout: Checkout
let browser: TestBrowser
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
        (await page).locator(given.length > 1 ? `${given[0]}:has-text("${text}")` : `text=${text}`)
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
