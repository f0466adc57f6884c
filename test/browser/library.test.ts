/// <reference types="jquery" />
/**
 * Tests of the library that need a real browser: handlers in mark-up, content security policies,
 * custom elements.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchBrowser, type WatchedPage } from '../helpers/browser.ts'
import { TEST_PUBLIC_KEY } from '../helpers/keys.ts'
import { builtText, ensureBuild } from '../sdk/helpers/build.ts'

const SHOP = 'http://shop.localhost'
const GATEWAY = 'http://gateway.localhost'
const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const config = {
  merchantId: '1',
  publicKey: TEST_PUBLIC_KEY,
  apiUrl: GATEWAY,
  payUrl: GATEWAY,
  cdnUrl: GATEWAY,
}
ensureBuild()
const SCRIPTS: Readonly<Record<string, string>> = {
  '/jquery.js': read('node_modules/jquery/dist/jquery.min.js'),
  '/mondido.js': `var __mondido_config=${JSON.stringify(config)};\n${builtText('mondido.min.js')}`,
}

const browser = await launchBrowser()

interface ShopPage extends WatchedPage {
  /** Bodies of the payments that reached the gateway. */
  readonly paid: readonly string[]
}

/** Opens a shop's page with a card form. Its gateway is simulated, and accepts every payment. */
async function openShop(
  inside: string,
  headers: Record<string, string> = {},
  attributes = '',
): Promise<ShopPage> {
  const watched = await browser.open()
  const paid: string[] = []
  const fields = { amount: '10.00', currency: 'sek', payment_ref: 'order', test: 'true' }
  const html = `<!doctype html><html lang="sv"><title>Shop</title><form id="pay" ${attributes}>${Object.entries(
    fields,
  )
    .map(([name, value]) => `<input name="${name}" value="${value}">`)
    .join(
      '',
    )}${inside}<button>Pay</button></form><script src="/jquery.js"></script><script src="/mondido.js"></script>`
  const { page } = watched
  await page.route(`${SHOP}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const body = SCRIPTS[pathname]
    return route.fulfill(
      body
        ? { contentType: 'text/javascript', body }
        : { contentType: 'text/html', body: html, headers },
    )
  })
  await page.route(`${GATEWAY}/v1/attempts/**`, (route) =>
    answer(route, { state: paid.length ? 'done' : 'unknown' }),
  )
  await page.route(`${GATEWAY}/v1/transactions`, (route) => {
    paid.push(route.request().postData() ?? '')
    return answer(route, {})
  })
  await page.route(`${GATEWAY}/v1/form`, (route) => {
    paid.push(route.request().postData() ?? '')
    return route.fulfill({
      status: 302,
      headers: { location: 'http://elsewhere.localhost/receipt' },
    })
  })
  await page.goto(SHOP)
  return { ...watched, paid }
}

const answer = (route: Parameters<Parameters<Page['route']>[1]>[0], body: object) =>
  route.fulfill({
    headers: { 'access-control-allow-origin': '*' },
    json: { id: 1, status: 'approved', transaction: { id: 1, status: 'approved' }, ...body },
  })

const CARD = `<input data-encrypt-attribute="card_number" value="4111111111111111">
  <input data-encrypt-attribute="card_cvv" value="200">`

/** Returns the state of the form. */
const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => Object(jQuery('#pay')).mondido('state'))

/** Mounts the form, clicks the button, and returns the final state of the attempt. */
async function pay(page: Page, options: object = { type: 'ajax' }): Promise<string> {
  await page.evaluate((given) => Object(jQuery('#pay')).mondido(given), options)
  await page.evaluate(() => document.querySelector<HTMLButtonElement>('#pay button')?.click())
  await page.waitForFunction(() =>
    /idle|fail|success/.test(Object(jQuery('#pay')).mondido('state')),
  )
  return stateOf(page)
}

test.each([
  ['returns false, sends no payment', 'return false', 'idle', 0],
  ['returns nothing, lets the library pay', 'void 0', 'success', 1],
  ['stops the event, lets the library pay', 'event.stopPropagation()', 'success', 1],
])('an onsubmit attribute that %s', async (_what, code, state, payments) => {
  const { page, paid } = await openShop(CARD, {}, `onsubmit="${code}"`)
  expect(await pay(page)).toBe(state)
  expect([paid.length, page.url()]).toEqual([payments, `${SHOP}/`])
})

test('disabled fieldsets are not sent, except their first legend', async () => {
  const field = (name: string) => `<input name="${name}" value="1">`
  const { page, paid } = await openShop(`${CARD}<fieldset disabled>
    <legend>${field('metadata')}</legend><legend>${field('webhook')}</legend>${field('plan_id')}
    <fieldset disabled><legend>${field('eci')}</legend></fieldset></fieldset>`)
  expect(await pay(page)).toBe('success')
  const sent = new URLSearchParams(paid[0])
  expect(['metadata', 'webhook', 'plan_id', 'eci'].filter((name) => sent.has(name))).toEqual([
    'metadata',
  ])
})

test.each(['ajax', 'form'])(
  'a form whose controls hide its properties pays with type %s',
  async (type) => {
    const names = ['submit', 'action', 'elements', 'method', 'id', 'target']
    const { page, paid } = await openShop(
      CARD + names.map((name) => `<input name="${name}" value="">`).join(''),
    )
    await page.evaluate((given) => Object(jQuery('#pay')).mondido({ type: given }), type)
    await page.click('#pay button')
    await expect.poll(() => paid.length).toBe(1)
    expect(new URLSearchParams(paid[0]).get('encrypted')).toBe('card_number,card_cvv')
  },
)

test('no FormData of a mounted form contains the card, even if its inputs have names', async () => {
  const { page, requests } = await openShop(CARD.replaceAll('data-', 'name="n" data-'))
  await page.evaluate(() => Object(jQuery('#pay')).mondido({ type: 'ajax' }))
  const sent = await page.evaluate(async () => {
    const form = document.querySelector<HTMLFormElement>('#pay')
    if (!form) return []
    await fetch('/order', { method: 'POST', body: new FormData(form) })
    form.submit()
    return [...new FormData(form).keys()]
  })
  expect(sent).toEqual(['amount', 'currency', 'payment_ref', 'test'])
  await page.waitForURL(/payment_ref=order/)
  expect(JSON.stringify(requests)).not.toContain('4111')
})

test.each([
  ['its form value', '<x-inside data-encrypt-attribute="card_number" name="number"></x-inside>'],
  [
    'the fields that it adds to the form',
    '<x-adding data-encrypt-attribute="card_number" name="number"></x-adding>',
  ],
])(
  'an annotated custom element is encrypted by %s, and never sent as plain text',
  async (_what, element) => {
    const { page, paid } = await openShop(element)
    await page.evaluate(() => {
      class Inside extends HTMLElement {
        static formAssociated = true
        constructor() {
          super()
          this.attachInternals().setFormValue('4111111111111111')
        }
      }
      class Adding extends HTMLElement {
        connectedCallback() {
          this.closest('form')?.addEventListener('formdata', ({ formData }) =>
            formData.append('number', '4111111111111111'),
          )
        }
      }
      customElements.define('x-inside', Inside)
      customElements.define('x-adding', Adding)
    })
    expect(await pay(page)).toBe('success')
    const sent = new URLSearchParams(paid[0])
    expect([sent.get('encrypted'), sent.get('card_number')?.length]).toEqual(['card_number', 344])
    expect(paid[0]).not.toContain('4111')
  },
)

test.each(['ajax', 'form'])(
  'a card number that a formdata listener adds stops the submit of type %s',
  async (type) => {
    const { page, paid } = await openShop(CARD)
    await page.evaluate(() =>
      document.querySelector('#pay')?.addEventListener('formdata', (event) => {
        const { formData } = event as FormDataEvent
        formData.append('copy', '4111 1111 1111 1111')
      }),
    )
    expect(await pay(page, { type })).toBe('fail')
    expect([paid, page.url()]).toEqual([[], `${SHOP}/`])
  },
)

test.each([
  [
    'the redirect after a payment, the payment counts as paid',
    `form-action ${GATEWAY}`,
    'success',
    1,
  ],
  ['the post, the payment fails and is not sent', "form-action 'self'", 'fail', 0],
])('if the page’s policy forbids %s', async (_what, policy, state, payments) => {
  const { page, paid } = await openShop(CARD, { 'content-security-policy': policy })
  expect(await pay(page, { timeouts: { statusRetry: 1 } })).toBe(state)
  expect([paid.length, page.url()]).toEqual([payments, `${SHOP}/`])
})

/** Returns the visible elements as a screen reader has them: role, name and description. */
async function heard(page: Page): Promise<{ role: string; name: string; description: string }[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description }) => ({
      role: String(role?.value ?? ''),
      name: String(name?.value ?? ''),
      description: String(description?.value ?? ''),
    }))
}

test('in a modal dialog the live region is announced, and each wrong field has its own message until it is corrected', async () => {
  const { page } = await openShop(
    `<input name="card_holder" aria-label="Name" required>
     <input data-encrypt-attribute="card_number" aria-label="Number" pattern="\\d{16}" required>`,
  )
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement('dialog'))
    dialog.append(...document.forms)
    dialog.showModal()
  })
  await page.evaluate(() => Object(jQuery('#pay')).mondido({ type: 'ajax', showMessages: true }))
  expect((await heard(page)).filter(({ role }) => role === 'status')).toHaveLength(1)
  await page.fill('[aria-label=Number]', '4111')
  await page.evaluate(() => Object(jQuery('#pay')).mondido('submit'))
  const texts = await page.$$eval('[required]', (fields) =>
    fields.map((field) => (field as HTMLInputElement).validationMessage),
  )
  expect(new Set(texts).size).toBe(2)
  const told = await heard(page)
  expect(told).toContainEqual({ role: 'textbox', name: 'Name', description: texts[0] })
  expect(told).toContainEqual({ role: 'textbox', name: 'Number', description: texts[1] })
  // The message is visible next to the field, and announced in the live region.
  expect(told.filter(({ role, name }) => role === 'StaticText' && name === texts[0])).toHaveLength(
    2,
  )
  expect(await page.innerText('[aria-label=Number] + .mondido-message')).toBe(texts[1])

  await page.fill('[aria-label=Number]', '')
  expect(await page.innerText('[aria-label=Number] + .mondido-message')).toBe(texts[0])
  await page.fill('[aria-label=Number]', '4111111111111111')
  expect(await page.getAttribute('[aria-label=Number]', 'aria-invalid')).toBeNull()
  expect(await heard(page)).toContainEqual({ role: 'textbox', name: 'Number', description: '' })
  expect(await page.getAttribute('[aria-label=Name]', 'aria-invalid')).toBe('true')
})
