import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hashResponse, requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { serve } from '../helpers/listening.ts'
import { share } from '../helpers/shared.ts'

/**
 * Starts a merchant's shop on its own origin. `/checkout` posts its query to the gateway, and every
 * other page is empty.
 */
const startMerchant = (payUrl: string) =>
  serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://merchant')
    const fields = [...searchParams].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    )
    const form = `<form method="post" action="${payUrl}/v1/form">${fields.join('')}<button>To payment</button></form>`
    response.setHeader('Content-Type', 'text/html')
    response.end(
      `<!doctype html><title>Shop</title>${pathname === '/checkout' ? form : 'Welcome back'}`,
    )
  })

const checkout = await share(startCheckout())
const merchant = await share(startMerchant(checkout.gateway.addresses.pay))
const browser = await launchBrowser()

let orders = 0

/** Opens the payment page from the shop's page, like a payer. */
async function openPayment(
  over: Record<string, string> = {},
  options: Parameters<TestBrowser['open']>[0] = {},
) {
  const { id, secret } = checkout.gateway.merchant
  const { amount = '250.00' } = over
  const order = { amount, currency: 'sek', payment_ref: `page${++orders}`, test: 'true' }
  const { payment_ref: paymentRef, ...rest } = order
  const hash = requestHash(
    { ...rest, merchantId: String(id), paymentRef, customerRef: '', test: true },
    secret,
  )
  const urls = { success_url: `${merchant.url}/thanks?cart=7`, error_url: `${merchant.url}/sorry` }
  const watched = await browser.open(options)
  await watched.page.goto(
    `${merchant.url}/checkout?${new URLSearchParams({ ...order, ...urls, merchant_id: String(id), hash, ...over })}`,
  )
  await watched.page.click('button')
  await watched.page.waitForURL('**/v1/form/*')
  return { ...watched, paymentRef }
}

const CARD = {
  card_number: '4111 1111 1111 1111',
  card_expiry: '12/38',
  card_cvv: '200',
  card_holder: 'Åsa Öberg',
}

async function pay(page: Page, over: Partial<typeof CARD> = {}) {
  for (const [name, value] of Object.entries({ ...CARD, ...over }))
    await page.fill(`#${name}`, value)
  await page.click('#mondidopayform button')
}

/** Waits until the payer is back in the shop; resolves with the query of the redirect. */
async function backIn(page: Page, path: string) {
  await page.waitForURL(`${merchant.url}${path}?**`)
  return Object.fromEntries(new URL(page.url()).searchParams)
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.className)

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a payment %s', (_how, javaScriptEnabled) => {
  test('ends in the shop on another origin, with the values that the shop checks, and leaves a receipt at its page', async () => {
    const { page, problems, paymentRef } = await openPayment({}, { javaScriptEnabled })
    const address = page.url()
    expect(address).toMatch(new RegExp(`^${checkout.gateway.addresses.pay}/v1/form/[\\w-]{22}$`))
    await pay(page)
    const [transaction] = await checkout.transactionsOf(paymentRef)
    const { id, secret } = checkout.gateway.merchant
    const signed = {
      merchantId: String(id),
      paymentRef,
      customerRef: '',
      amount: '250.00',
      currency: 'sek',
    }
    const told = await backIn(page, '/thanks')
    expect(told).toEqual({
      cart: '7',
      transaction_id: String(transaction?.id),
      payment_ref: paymentRef,
      status: 'approved',
      hash: hashResponse({ ...signed, status: 'approved' }, secret),
    })
    await page.goto(address)
    expect(await page.innerText('h1')).toBe('The payment is complete')
    expect(await page.locator('#mondidopayform').count()).toBe(0)
    await page.click('text=Back to the shop')
    expect(await backIn(page, '/thanks')).toEqual(told)
    expect(problems).toEqual([])
  })

  test('stays on the page with a message after a mistyped number, and ends in the shop with the reason after a decline', async () => {
    const { page, paymentRef } = await openPayment({}, { javaScriptEnabled })
    await pay(page, { card_number: '4111 1111 1111 1112' })
    await page.waitForSelector('[role=alert]')
    expect(await page.title()).toMatch(/^Error: /)
    // The page does not show sent values again. Values that the script rejected stay, so that the
    // payer can correct them.
    expect(await page.inputValue('#card_number')).toBe(
      javaScriptEnabled ? '4111 1111 1111 1112' : '',
    )
    await pay(page, { card_cvv: '201' })
    const told = {
      error_name: 'errors.payment.declined',
      payment_ref: paymentRef,
      status: 'declined',
    }
    expect(await backIn(page, '/sorry')).toMatchObject(told)
  })

  test('ends in the shop after the challenge of the bank', async () => {
    const { page } = await openPayment({}, { javaScriptEnabled })
    await pay(page, { card_number: '4000 0000 0000 1091' })
    await page.fill('[data-testid=bank-code]', '1234')
    await page.click('[data-testid=bank-confirm]')
    // A script continues by itself.
    if (!javaScriptEnabled) await page.click('[data-testid=bank-continue]')
    expect(await backIn(page, '/thanks')).toMatchObject({ status: 'approved' })
  })
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a mistake in the form, %s,', (_how, javaScriptEnabled) => {
  const mistakes: readonly [string, Partial<typeof CARD>][] = [
    ['card_number', { card_number: '4111 1111 1111 1112' }],
    ['card_cvv', { card_cvv: '20' }],
  ]
  test('is described first at the top, with a link to its field, and again at the field', async () => {
    const { page } = await openPayment({}, { javaScriptEnabled })
    for (const [field, over] of mistakes) {
      // Submits again after a click on a link to a field. Its fragment must not stay in the
      // address.
      await pay(page, over)
      const link = page.locator(`[role=alert] a[href="#${field}"]`)
      // The browser sets the focus when it draws the first frame, with the style sheet.
      await expect.poll(() => focused(page)).toBe('problems')
      const text = await link.innerText()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toBe(field)
      expect(await page.getAttribute(`#${field}`, 'aria-invalid')).toBe('true')
      const [problem = ''] =
        (await page.getAttribute(`#${field}`, 'aria-describedby'))?.split(' ') ?? []
      expect(await page.innerText(`#${problem}`)).toBe(text)
      expect(await page.locator('[role=alert] a, [aria-invalid]').count()).toBe(2)
    }
  })
})

describe('the payment page', () => {
  test('labels every field, and can be filled in and paid with the keyboard alone, in reading order', async () => {
    const { page } = await openPayment()
    const labels = ['Card number', 'Expires', 'Security code', 'Name on the card']
    for (const [index, label] of labels.entries())
      expect(await page.getByLabel(label, { exact: true }).getAttribute('id')).toBe(
        Object.keys(CARD)[index],
      )
    // The links for the language and for the chosen method come before the fields.
    for (let links = 0; links < 2; links++) await page.keyboard.press('Tab')
    const order: (string | undefined)[] = []
    for (const text of Object.values(CARD)) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
      order.push(await focused(page))
    }
    expect(order).toEqual(Object.keys(CARD))
    await page.keyboard.press('Enter')
    await backIn(page, '/thanks')
  })

  test('Tab goes down the page, in both columns', async () => {
    const { page } = await openPayment({}, { viewport: { width: 1280, height: 800 } })
    const tops: number[] = []
    for (;;) {
      await page.keyboard.press('Tab')
      const top = await page.evaluate(() => {
        const { activeElement } = document
        if (!activeElement?.closest('main'))
          return activeElement?.closest('header') ? -1 : undefined
        return Math.round(activeElement.getBoundingClientRect().bottom + scrollY)
      })
      if (top === undefined) break
      tops.push(top)
    }
    expect(tops.length).toBeGreaterThan(12)
    expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  })

  test('the button fits the highest amounts at 200 % text on a narrow phone', async () => {
    const { page } = await openPayment(
      { amount: '1000000000.00' },
      { viewport: { width: 375, height: 700 }, bypassCSP: true },
    )
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    const beyond = await page
      .locator('#mondidopayform .button')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(beyond).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  })

  test('a printed receipt has all order lines, the VAT and what is folded on the screen', async () => {
    const items = Array.from({ length: 7 }, (_, at) => ({
      ...{ artno: String(at), description: `Candle ${at}`, qty: '1', vat: '25' },
      amount: '1.00',
    }))
    const { page } = await openPayment({
      items: JSON.stringify(items).replaceAll('"', '&quot;'),
      metadata: '{&quot;note&quot;:&quot;At the door&quot;}',
      vat_amount: '50.00',
    })
    const address = page.url()
    await pay(page)
    await backIn(page, '/thanks')
    await page.goto(address)
    expect(await page.isVisible('text=At the door')).toBe(false)
    await page.emulateMedia({ media: 'print' })
    for (const text of [...items.map(({ description }) => description), 'At the door'])
      expect(await page.isVisible(`text=${text}`)).toBe(true)
    expect(await page.isVisible('.items .vat')).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await page.isVisible('text=At the door')).toBe(true)
  })
})

describe('another method', () => {
  test('Swish: the payer approves in the app, and returns to the shop', async () => {
    const { page, problems, paymentRef } = await openPayment()
    await page.click('.methods >> text=Swish')
    await page.fill('#swish_number', '070-123 45 67')
    await page.click('#swishform button')
    await page.click('#simulator >> text=Approve')
    expect(await backIn(page, '/thanks')).toMatchObject({
      payment_ref: paymentRef,
      status: 'approved',
    })
    expect(problems).toEqual([])
  })
})

test('a payer’s answer in another window appears without a reload', async () => {
  const { page } = await openPayment()
  await page.click('.methods >> text=Bank')
  await page.click('#bankform button')
  await page.waitForSelector('#simulator')
  const body = new URLSearchParams({ action: 'answer', answer: 'approved' })
  await fetch(page.url().replace('pay.localhost', 'localhost'), {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  await page.waitForSelector('text=The payment is complete')
})
