import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { clientAt, type Fields, prepared } from '../helpers/gateway.ts'
import { callControl, runInMemory } from '../helpers/running.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

/** The card form of the payment page: messages about cards, narrow screens, and few colours. */

let gateway: RunningGateway
let browser: TestBrowser
beforeAll(async () => {
  gateway = await runInMemory()
  browser = await launchBrowser()
})
afterAll(() => gateway.close())

const NARROW = { viewport: { width: 320, height: 640 } }

async function openForm(options: Parameters<TestBrowser['open']>[0] = {}, over: Fields = {}) {
  const shop = clientAt(gateway.url, gateway.merchant)
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en', ...over }))
  const { page } = await browser.open(options)
  await page.goto(body.href)
  return page
}

describe('the form names the brand, and where its CVV is printed,', () => {
  test.each([
    ['4111 1111 1111 1111', 'The card is a Visa', '3 digits'],
    ['3782 822463 10005', 'The card is an American Express', '4 digits'],
    ['', '', '3–4 digits'],
  ])('for the number "%s": %s', async (number, said, hint) => {
    const page = await openForm()
    await page.fill('#card_number', number)
    expect(await page.textContent('#brand')).toBe(said)
    expect(await page.innerText('#card_cvv_hint')).toBe(hint)
  })

  test('a security code that is too short for its brand is reported before anything is sent', async () => {
    const page = await openForm()
    expect(await page.innerText('label[for=card_cvv]')).toBe('Security code')
    await page.click('#mondidopayform button')
    expect(await page.innerText('#card_cvv_problem')).not.toContain('back')
  })
})

describe('a field that loses the focus', () => {
  test('shows its mistake until it is corrected, and no element moves during a click', async () => {
    const page = await openForm({}, { locale: 'sv' })
    const problem = page.locator('#card_number_problem')
    await page.focus('#card_number')
    await page.focus('#card_holder')
    expect(await problem.isVisible()).toBe(false)
    await page.fill('#card_number', '4111 1111 1111 1112')
    expect(await problem.isVisible()).toBe(false)
    await page.focus('#card_holder')
    expect(await problem.innerText()).toMatch(/^Kortnumret/)
    expect(await page.getAttribute('#card_number', 'aria-invalid')).toBe('true')
    await page.fill('#card_number', '4111 1111 1111 1111')
    expect(await problem.isVisible()).toBe(false)
    await page.fill('#card_expiry', '13/38')
    const button = page.locator('#mondidopayform button[type=submit]')
    await button.hover()
    await page.mouse.down()
    expect(await page.isVisible('#card_expiry_problem')).toBe(false)
    await page.mouse.up()
    await page.waitForSelector('#problems:visible')
    expect(await page.isVisible('#card_expiry_problem')).toBe(true)
  })
})

test('typed values survive a change of language, except the card number, expiry and CVV', async () => {
  const page = await openForm()
  await page.fill('#card_number', '4111 1111 1111 1111')
  await page.fill('#card_holder', 'Kim Berg')
  await page.fill('#card_expiry', '12/38')
  await page.fill('#card_cvv', '200')
  await page.click('header a[hreflang=sv]')
  await page.waitForSelector('html[lang=sv]')
  const values = () =>
    page
      .locator('#mondidopayform .field input')
      .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
  await expect.poll(values).toEqual(['', '', '', 'Kim Berg'])
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('items are folded on a phone and unfolded on wider screens', async () => {
  const items = JSON.stringify([
    { artno: '1', description: 'A lamp', amount: '10.00', qty: '1', vat: '25.00' },
  ])
  const page = await openForm({ viewport: { width: 390, height: 800 } }, { items })
  expect(await page.isVisible('.items')).toBe(false)
  await page.click('.goods summary')
  expect(await page.isVisible('.items')).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  expect(await page.isVisible('.items')).toBe(true)
})

const boxes = (page: Page, selectors: readonly string[]) =>
  Promise.all(
    selectors.map((selector) =>
      page.locator(selector).evaluate((each) => each.getBoundingClientRect().top),
    ),
  )

describe('on a narrow screen', () => {
  test('labels and fields of a pair have the same height, also if one has a mistake', async () => {
    const page = await openForm(NARROW, { locale: 'sv' })
    const expectAligned = async () => {
      const [left, right] = await boxes(page, ['label[for=card_expiry]', 'label[for=card_cvv]'])
      expect(left).toBe(right)
      const [month, code] = await boxes(page, ['#card_expiry', '#card_cvv'])
      expect(month).toBe(code)
    }
    await expectAligned()
    await page.fill('#card_number', '4111 1111 1111 1111')
    await page.fill('#card_holder', 'Anna')
    await page.fill('#card_cvv', '200')
    await page.click('#mondidopayform button')
    await page.waitForSelector('#card_expiry_problem:visible')
    await expectAligned()
  })

  test('a mistake is described in full at its field only, and the summary names the field', async () => {
    const page = await openForm(NARROW)
    for (const [name, value] of [
      ['number', '4111 1111 1111 1112'],
      ['holder', 'Anna'],
      ['expiry', '12/38'],
      ['cvv', '200'],
    ])
      await page.fill(`#card_${name}`, value ?? '')
    await page.click('#mondidopayform button')
    await page.waitForSelector('#problems:visible')
    expect(await page.innerText('#problems a')).toBe('Card number')
    expect(await page.innerText('#card_number_problem')).toContain('is not valid')
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await page.innerText('#problems a')).toContain('is not valid')
  })
})

test('in forced colours the chosen method has its own border', async () => {
  const page = await openForm({ forcedColors: 'active' })
  const look = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => {
        const { borderTopWidth, borderTopColor } = getComputedStyle(each, '::before')
        return [borderTopWidth, borderTopColor]
      })
  expect(await look('.methods a[aria-current]')).not.toEqual(
    await look('.methods a:not([aria-current])'),
  )
})

describe('payment links', () => {
  let link: string
  beforeAll(async () => {
    gateway = await runInMemory()
    browser = await launchBrowser()
    await control('PUT', '/merchants/1', { settings: { wallets: ['apple_pay', 'google_pay'] } })
    const order = {
      amount: '1250.00',
      currency: 'sek',
      description: 'One hour of work',
      payment_ref: 'order-{n}',
    }
    link = (await control('POST', '/payment-links', { ...order, uses: 2 })).url
  })
  afterAll(() => gateway.close())

  const control = (method: string, path: string, body: object) =>
    callControl<{ url: string }>(gateway, method, path, body)

  test.each([
    {
      how: 'with a script',
      javaScriptEnabled: true,
      width: 1280,
      colorScheme: 'dark',
      lang: 'en',
      done: 'complete',
    },
    {
      how: 'without a script',
      javaScriptEnabled: false,
      width: 320,
      colorScheme: 'light',
      lang: 'sv',
      done: 'klar',
    },
  ] as const)(
    'a link leads to a wallet and a receipt $how',
    async ({ width, lang, done, ...options }) => {
      const { page, problems } = await browser.open({
        ...options,
        viewport: { width, height: 800 },
        locale: lang,
        bypassCSP: true,
      })
      // Without scripts, the page cannot be measured.
      const look = async (name: string) => {
        if (!options.javaScriptEnabled) return
        await expectToFit(page, `${name}-${lang}-${width}`)
        expect(await violationsOn(page)).toEqual([])
      }
      await page.goto(link)
      await look('payment-link')
      await page.click('button.button')
      await look('wallets')
      await page.click('.wallets li:last-child a')
      await look('wallet-sheet')
      await page.click('button.button')
      expect(await page.innerText('h1')).toContain(done)
      expect(await page.innerText('main')).toContain('Google Pay')
      await look('receipt-of-wallet')
      expect(problems).toEqual([])
    },
  )

  test('a link without remaining uses shows a message', async () => {
    const { page } = await browser.open({ locale: 'sv', bypassCSP: true })
    await page.goto(link)
    expect(await page.innerText('main')).toContain('Betalningen är redan gjord.')
    await expectToFit(page, 'payment-link-used-up')
    expect(await violationsOn(page)).toEqual([])
  })

  test('in forced colours a wallet button has the border of the payment methods', async () => {
    const { url } = await control('POST', '/payment-links', {
      amount: '1.00',
      currency: 'sek',
      payment_ref: 'forced-{n}',
    })
    const { page } = await browser.open({ forcedColors: 'active' })
    await page.goto(url)
    await page.click('button.button')
    const look = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((each) => {
          const { borderTopStyle, borderTopWidth } = getComputedStyle(each)
          return [borderTopStyle, borderTopWidth]
        })
    expect(await look('.wallets a')).toEqual(await look('.methods'))
  })
})
