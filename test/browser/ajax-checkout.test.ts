import { describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, type SentRequest, type TestBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { share } from '../helpers/shared.ts'
import { fillCard, messageOf, paidOrder, pay, startNextOrder } from './checkout-page.ts'
import { expectToFit } from './fit.ts'

const checkout = await share(startCheckout())
await checkout.setThreeDSecure('off')
const browser = await launchBrowser()

async function openShop(options: Parameters<TestBrowser['open']>[0] = {}) {
  const watched = await browser.open(options)
  await watched.page.goto(checkout.shop.url)
  return watched
}

const creates = (requests: readonly SentRequest[]) =>
  requests.filter(
    ({ method, url }) =>
      method === 'POST' && url.startsWith(`${checkout.gateway.url}/v1/transactions`),
  )

const CREATE = '**/v1/transactions'
const STATUS = '**/v1/attempts/**'

describe('a payment', () => {
  test('with CVV 200 pays the order in the window of the bank without console errors, and a reloaded page shows that it is paid', async () => {
    await checkout.setThreeDSecure('card')
    onTestFinished(() => checkout.setThreeDSecure('off'))
    const { page, problems } = await openShop()
    await pay(page)
    const order = await paidOrder(page)
    expect(order).toMatch(/^\w{1,12}$/)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Order paid')
    expect(await checkout.transactionsOf(order)).toMatchObject([
      { status: 'approved', amount: '246.00' },
    ])
    // On a slow machine, the library requests the status before the gateway has received the form.
    expect(problems.filter((problem) => !problem.includes('/v1/mpi_js/'))).toEqual([])
    await page.reload()
    expect(await paidOrder(page)).toBe(order)
  })

  test('creates one transaction for many clicks, and for the Enter key in a field or on a test card', async () => {
    const { page, requests } = await openShop()
    const orders = new Set<string>()
    const expectPaid = async () => {
      orders.add(await paidOrder(page))
      expect(creates(requests)).toHaveLength(orders.size)
      expect(await checkout.transactionsOf([...orders].at(-1) ?? '')).toHaveLength(1)
    }
    await fillCard(page)
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('#payment [type=submit]')
      for (let click = 0; click < 7; click++) button?.click()
    })
    await expectPaid()
    await startNextOrder(page)
    await fillCard(page)
    await page.press('#card-cvv', 'Enter')
    await expectPaid()
    await startNextOrder(page)
    await page.click('[data-cvv="200"]')
    await page.keyboard.press('Enter')
    await expectPaid()
    expect(orders.size).toBe(3)
  })
})

describe('when the network fails', () => {
  test('nothing is paid, or the library or the shop finds the result of the payment', async () => {
    const { page, requests } = await openShop()
    // The request is lost: the payer can try again.
    await page.route(CREATE, (route) => route.abort(), { times: 1 })
    await pay(page)
    await messageOf(page)
    expect(requests.some(({ url }) => url.includes('/v1/attempts/'))).toBe(true)
    await pay(page)
    expect(await checkout.transactionsOf(await paidOrder(page))).toHaveLength(1)
    // The answer is lost: the library asks the service.
    await startNextOrder(page)
    await page.route(CREATE, (route) => route.fetch().then(() => route.abort()))
    const status = page.waitForResponse(STATUS)
    await pay(page)
    expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
      { status: 'approved' },
    ])
    expect((await status).status()).toBe(200)
    // The answers to the payment and to the library's status requests are lost: the shop asks the
    // service.
    await startNextOrder(page)
    await page.route(STATUS, (route) => route.abort())
    await pay(page)
    expect(await checkout.transactionsOf(await paidOrder(page))).toHaveLength(1)
    // All further requests are lost, too.
    await startNextOrder(page)
    await page.route(CREATE, (route) => route.abort())
    await pay(page)
    expect(await messageOf(page)).toContain('We do not know yet')
  })

  test('shows a message and sends nothing before the library has loaded', async () => {
    const { page, requests } = await browser.open()
    await page.route('**/v2/mondido.js*', (route) => route.abort())
    await page.goto(checkout.shop.url)
    expect(await messageOf(page)).toContain('cannot be reached')
    await pay(page)
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
    expect(page.url()).toBe(`${checkout.shop.url}/`)
  })
})

test('no plain card number or CVV leaves the page or stays in the browser', async () => {
  const { page, requests } = await openShop()
  await pay(page, { number: '4012 8888 8888 1881', cvv: '7391' })
  await paidOrder(page)
  const sent = new URLSearchParams(creates(requests)[0]?.body)
  const encrypted = ['card_cvv', 'card_expiry', 'card_holder', 'card_number']
  expect(sent.get('encrypted')?.split(',').sort()).toEqual(encrypted)
  for (const name of encrypted)
    expect(Buffer.from(sent.get(name) ?? '', 'base64')).toHaveLength(256)

  const kept = await page.evaluate(() => [
    location.href,
    document.cookie,
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input')].map((input) => input.value),
  ])
  const left = requests.flatMap(({ url, body }) => [
    url,
    body,
    ...new URLSearchParams(body).values(),
  ])
  for (const text of [...kept, ...left])
    expect(text.replace(/\W/g, '')).not.toMatch(/4012888888881881|^7391$/)
})

describe('the page', () => {
  const looks = [
    [360, 740, 'light'],
    [1280, 800, 'dark'],
  ] as const
  test.each(looks)('fits %i x %i pixels (%s)', async (width, height, colorScheme) => {
    const { page, problems } = await openShop({ viewport: { width, height }, colorScheme })
    await expectToFit(page, `checkout-${width}-${colorScheme}`)
    await pay(page, { cvv: '201' })
    await messageOf(page)
    await expectToFit(page, `declined-${width}-${colorScheme}`)
    await pay(page)
    await paidOrder(page)
    await expectToFit(page, `paid-${width}-${colorScheme}`)
    expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([])
  })
})
