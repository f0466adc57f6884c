/** A journey of a payer or developer through each page, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startShop as startHostedRedirect } from '../../examples/hosted-redirect/server.ts'
import type { Shop } from '../../examples/shared/server.ts'
import { startShop as startStoredCard } from '../../examples/stored-card/server.ts'
import { startShop as startThreeDSecure } from '../../examples/three-d-secure/server.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { clientAt, payment } from '../helpers/gateway.ts'
import { violationsOn } from './axe.ts'
import { messageOf, paidOrder, pay, startNextOrder } from './checkout-page.ts'

let checkout: Checkout
let browser: TestBrowser
const shops: Shop[] = []

beforeAll(async () => {
  checkout = await startCheckout()
  browser = await launchBrowser()
})
afterAll(async () => {
  for (const shop of shops) await shop.close()
  await checkout.close()
})

/** Starts an example shop, and opens its page. */
async function openExample(start: typeof startThreeDSecure): Promise<Page> {
  const { addresses, merchant } = checkout.gateway
  const shop = await start({ port: 0, gateway: addresses, merchant })
  shops.push(shop)
  const { page } = await browser.open()
  await page.goto(shop.url)
  return page
}

test('the payment page: a decline leads back to the shop, and the next order is paid', async () => {
  const page = await openExample(startHostedRedirect)
  const payWith = async (card: string) => {
    await page.click('button')
    await page.click('.helper summary')
    await page.click(`text=${card}`)
    expect(await violationsOn(page)).toEqual([])
    await page.click('#mondidopayform .button')
  }
  await payWith('Declined by the bank')
  expect(await page.innerText('.message.bad')).toContain('no money was taken')
  await page.goto(new URL('/', page.url()).href)
  await payWith('Approved')
  expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
    { status: 'approved', amount: '246.00' },
  ])
})

test('the form of the library: a decline shows a message, a second try pays in the window of the bank', async () => {
  const { page } = await browser.open()
  await page.goto(checkout.shop.url)
  await pay(page, { cvv: '201' })
  expect(await messageOf(page)).toBe('Payment declined')
  await pay(page)
  const transactions = await checkout.transactionsOf(await paidOrder(page))
  expect(transactions.map(({ status }) => status)).toEqual(['declined', 'approved'])
})

test('3-D Secure: a payer pays after a wrong code, a cancellation and a closed window', async () => {
  const page = await openExample(startThreeDSecure)
  const openBank = async () => {
    await page.click('[data-number$="1091"]')
    const opened = page.waitForEvent('popup')
    await page.click('#payment [type=submit]')
    const bank = await opened
    await bank.waitForSelector('[data-testid=bank-confirm]')
    return bank
  }
  const confirm = async (code: string) => {
    const bank = await openBank()
    await bank.fill('[data-testid=bank-code]', code)
    await bank.click('[data-testid=bank-confirm]')
  }
  const message = page.locator('#message')
  await confirm('0000')
  await message.filter({ hasText: '(errors.mpi.not_approved)' }).waitFor()
  await (await openBank()).click('[data-testid=bank-cancel]')
  await message.filter({ hasText: '(errors.payment.canceled)' }).waitFor()
  await (await openBank()).close()
  await message.filter({ hasText: '(mpi.closed)' }).waitFor()
  await confirm('1234')
  const [transaction] = await checkout.transactionsOf(await paidOrder(page))
  expect(transaction).toMatchObject({ status: 'approved', mpi_ref: expect.any(String) })
})

test('a stored card: a payer saves a card, and pays again with one click', async () => {
  const page = await openExample(startStoredCard)
  await page.check('[name=store_card]')
  await pay(page)
  await paidOrder(page)
  await startNextOrder(page)
  await page.waitForSelector('#card-name')
  await page.click('text=with this card')
  expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
    { status: 'approved' },
  ])
})

test('the home page: a developer makes a payment, and sees it in the console', async () => {
  const { page, problems } = await browser.open()
  await page.goto(`${checkout.gateway.url}/`)
  expect(await violationsOn(page)).toEqual([])
  await page.click('text=Pay 10.00 SEK')
  expect(await page.innerText('[role=status]')).toMatch(/^Payment \d+ is approved\.$/)
  await page.click('text=See what happened')
  expect(await page.innerText('h1')).toMatch(/^10\.00 SEK\s+Approved$/)
  expect(problems).toEqual([])
})

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
] as const)(
  'the console: a user finds and refunds a payment, and logs out, %s',
  async (_how, javaScriptEnabled) => {
    const { gateway } = checkout
    const shop = clientAt(gateway.url, gateway.merchant)
    const { page, problems } = await browser.open({ javaScriptEnabled })
    const payment_ref = `look-me-up-${javaScriptEnabled}`
    const { body } = await shop.post('/v1/transactions', payment({ amount: '12.50', payment_ref }))
    await page.goto(`${gateway.url}/console`)
    await page.fill('[name=username]', '1')
    await page.fill('[name=password]', gateway.merchant.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(/\/console\/\w+$/)
    await page.click('nav >> text=Payments')
    await page.fill('[name="filter[payment_ref]"]', 'look*')
    await page.press('[name="filter[payment_ref]"]', 'Enter')
    await page.getByRole('link', { name: payment_ref }).click()
    await page.click('main a >> text=Refund')
    await page.fill('[name=amount]', '2.50')
    await page.fill('[name=reason]', 'a cup was broken')
    await page.click('button >> text=Refund')
    expect(await page.innerText('[role=status]')).toBe('The refund was made.')
    expect(await page.innerText('main')).toContain('a cup was broken')
    expect((await shop.get(`/v1/transactions/${body.id}`)).body.refunds).toHaveLength(1)
    await page.click('text=Log out')
    expect(await page.innerText('h1')).toBe('Console')
    await page.goBack()
    await page.reload()
    expect(page.url()).toContain('/console/login')
    expect(problems).toEqual([])
  },
)

test('the documentation: a developer searches a page, and sends a call to this gateway', async () => {
  const { page, problems } = await browser.open()
  await page.goto(`${checkout.gateway.url}/docs`)
  await page.getByRole('searchbox').fill('strict_hash')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('link', { name: 'Fields that a hash leaves open' }).first().click()
  await page.waitForURL('**/docs/explanation/hash#fields-that-a-hash-leaves-open')
  await page.goto(`${checkout.gateway.url}/docs/calls/createTransaction`)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Status 200').waitFor()
  expect(await page.locator('.answer pre').textContent()).toContain('"status": "approved"')
  await page.getByLabel('Fields, one on each line').fill('amount=10.0')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Status 400').waitFor()
  expect(
    await page.getByRole('link', { name: 'The request in the console' }).getAttribute('href'),
  ).toMatch(/^\/console\/1\/requests\/[\w-]+$/)
  expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([])
})
