import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { launchBrowser } from '../helpers/browser.ts'
import { clientAt, type Fields, prepared } from '../helpers/gateway.ts'
import { type OwnServer, serve } from '../helpers/listening.ts'
import { callControl, runInMemory } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

const CONTROL_KEY = 'key-of-the-pages'

/** Merchant whose payment page has every possible field for the payer. */
const ASKING = {
  id: 2,
  name: 'Wool & Co',
  password: 'asks a lot',
  secret: 'secret of two',
  settings: {
    payer_details: [
      'email',
      'phone',
      'first_name',
      'last_name',
      'address_1',
      'address_2',
      'zip',
      'city',
      'country_code',
    ],
    stored_card_cvv: true,
    page_tries: 2,
  },
}

/** Page of the shop that shows the messages of its frame, and answers like iframe-resizer 3. */
const PARENT = (address: string, sandbox: string) => `<!doctype html><title>Shop</title>
<iframe id="mondido-iframe" src="${address}" width="600" height="300" ${sandbox}></iframe>
<script>
  window.heard = []
  addEventListener('message', ({ data, source, origin }) => {
    heard.push(data)
    if (data === '[iFrameResizerChild]Ready')
      source.postMessage('[iFrameSizer]mondido-iframe:8:false:false:32:true:true:null:bodyOffset:null:null:0:false:parent:scroll', origin)
  })
</script>`

async function startShop() {
  const server: OwnServer = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    response.setHeader('Content-Type', 'text/html')
    if (pathname === '/frame')
      return response.end(PARENT(searchParams.get('page') ?? '', searchParams.get('sandbox') ?? ''))
    // Shops can redirect payers to other origins.
    if (pathname === '/moved')
      return response
        .writeHead(303, { Location: `${server.url}/thanks${request.url?.slice(6)}` })
        .end()
    return response.end('<!doctype html><title>Shop</title><h1>Welcome back</h1>')
  })
  return { ...server, url: server.url.replace('127.0.0.1', 'localhost') }
}

const gateway = await share(runInMemory('--control-key', CONTROL_KEY))
await callControl(gateway, 'POST', '/fixtures', { merchants: [ASKING] })
/** Shop on its own origin, whose page shows the address in its query in a frame. */
const shop = await share(startShop())
const browser = await launchBrowser()

type Caller = Pick<typeof ASKING, 'id' | 'password' | 'secret'>

const call = async (path: string, fields: Fields, caller: Caller = gateway.merchant) =>
  (await clientAt(gateway.url, caller).post(path, fields)).body

const ITEMS = JSON.stringify([
  {
    artno: '1',
    description: 'A blanket of oatmeal wool, 130 by 180 centimetres',
    amount: '200.00',
    qty: '1',
    vat: '25',
  },
  { artno: '2', description: 'Candles', amount: '50.00', qty: '2', vat: '25' },
])

const prepare = (over: Fields = {}, caller: Caller = gateway.merchant) => {
  const urls = { success_url: `${shop.url}/thanks`, error_url: `${shop.url}/sorry` }
  const order = prepared({ amount: '250.00', items: ITEMS, locale: 'en', ...urls, ...over })
  return call('/v1/transactions', order, caller)
}

const CARD = {
  card_number: '4111111111111111',
  card_expiry: '12/38',
  card_cvv: '200',
  card_holder: 'Åsa Öberg',
}

async function fill(page: Pick<Page, 'fill'>, over: Partial<typeof CARD> = {}) {
  for (const [name, value] of Object.entries({ ...CARD, ...over }))
    await page.fill(`#${name}`, value)
}
const BUTTON = '#mondidopayform .button'

/** Sends the form of a payment like a program, without a browser. */
const send = (href: string, over: Readonly<Record<string, string>> = {}) =>
  fetch(href, {
    method: 'POST',
    body: new URLSearchParams({ ...CARD, ...over }),
    redirect: 'manual',
  })

const storeCard = (customer_ref: string, caller?: Caller) =>
  call(
    '/v1/stored_cards',
    { ...CARD, card_expiry: '1238', card_type: 'VISA', currency: 'sek', test: true, customer_ref },
    caller,
  )

describe('the form', () => {
  test('groups digits while the payer types, is sent once however the payer submits it, and is a receipt for a payer who goes back', async () => {
    const { page, problems, requests } = await browser.open()
    const { href } = await prepare()
    await page.goto(href)
    await page.locator('#card_number').pressSequentially('41111111')
    expect(await page.inputValue('#card_number')).toBe('4111 1111')
    await page.press('#card_number', 'Home')
    await page.press('#card_number', 'ArrowRight')
    await page.keyboard.type('2')
    expect(await page.inputValue('#card_number')).toBe('4211 1111 1')
    expect(
      await page.evaluate(() => (document.activeElement as HTMLInputElement).selectionStart),
    ).toBe(2)
    expect(await page.textContent('#brand')).toBe('The card is a Visa')
    await page.fill('#card_number', '378282246310005')
    expect(await page.inputValue('#card_number')).toBe('3782 822463 10005')
    expect(await page.getAttribute('.marks .seen svg', 'aria-label')).toBe('American Express')
    await page.locator('#card_expiry').pressSequentially('1238')
    expect(await page.inputValue('#card_expiry')).toBe('12 / 38')
    expect(problems).toEqual([])
    await fill(page)
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('#mondidopayform')
      for (let times = 0; times < 3; times++) form?.requestSubmit()
      form?.querySelector('button')?.click()
    })
    await page.waitForURL(`${shop.url}/thanks?**`)
    expect(requests.filter(({ method, url }) => method === 'POST' && url === href)).toHaveLength(1)
    await page.goBack()
    await page.waitForSelector('h1.is')
    expect(await page.innerText('h1')).toBe('The payment is complete')
  })

  test('leads back to a shop that redirects the payer to another origin', async () => {
    const { page, problems } = await browser.open()
    await page.goto((await prepare({ success_url: `${shop.url}/moved` })).href)
    await fill(page)
    await page.click(BUTTON)
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/thanks\?.*status=approved/)
    expect(problems).toEqual([])
  })
})

test('offers more time two minutes before it expires, and keeps the typed values', async () => {
  const { page, problems } = await browser.open()
  await page.clock.install()
  await page.goto((await prepare()).href)
  await page.fill('#card_holder', CARD.card_holder)
  await page.clock.fastForward('01:27:50')
  expect(await page.isVisible('#time')).toBe(false)
  await page.clock.fastForward('00:00:11')
  expect(await page.innerText('#time p')).toBe('This page closes in two minutes.')
  await page.click('text=Give me more time')
  await page.waitForSelector('#time', { state: 'hidden' })
  expect(await page.inputValue('#card_holder')).toBe(CARD.card_holder)
  await page.clock.fastForward('00:10:00')
  expect(await page.isVisible('#time')).toBe(false)
  expect(problems).toEqual([])
})

describe('in a frame of a shop that the merchant names,', () => {
  const frameOf = (href: string, sandbox = '') =>
    `${shop.url}/frame?${new URLSearchParams({ page: href, sandbox })}`

  test('the page reports its height in both message formats, and the payer returns to the shop inside the frame', async () => {
    const { page, problems } = await browser.open()
    // Shops add a time stamp `ts` to reload the page.
    await page.goto(frameOf(`${(await prepare()).href}?ts=1700000000`))
    const frame = page.frameLocator('#mondido-iframe')
    await frame.locator(BUTTON).waitFor()
    const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)
    await expect
      .poll(async () => (await heard()).filter((each) => /:init$/.test(String(each))).length)
      .toBe(1)
    const messages = await heard()
    expect(messages).toContainEqual({
      msg: 'resize',
      height: expect.stringMatching(/^[1-9]\d{2,3}px$/),
    })
    expect(messages).toContainEqual(
      expect.stringMatching(/^\[iFrameSizer\]mondido-iframe:\d{3,4}:\d{3}:init$/),
    )
    await frame.locator('.helper summary').click()
    await expect
      .poll(async () => (await heard()).some((each) => /:size$/.test(String(each))))
      .toBe(true)
    for (const [name, value] of Object.entries(CARD)) await frame.locator(`#${name}`).fill(value)
    await frame.locator(BUTTON).click()
    await frame.locator('text=Welcome back').waitFor()
    expect(page.url()).toContain('/frame?')
    expect(problems).toEqual([])
  })
})

test('in a frame without an origin the page can still be paid', async () => {
  const { page } = await browser.open()
  const sandbox = 'sandbox="allow-forms allow-scripts"'
  await page.goto(
    `${shop.url}/frame?${new URLSearchParams({ page: (await prepare()).href, sandbox })}`,
  )
  const frame = page.frameLocator('#mondido-iframe')
  for (const [name, value] of Object.entries(CARD)) await frame.locator(`#${name}`).fill(value)
  await frame.locator(BUTTON).click()
  await frame.locator('text=Welcome back').waitFor()
})

test('the payer details that the merchant requires are typed, corrected and paid with a stored card that needs its code', async () => {
  const { page } = await browser.open()
  await storeCard('c9', ASKING)
  await page.goto((await prepare({ customer_ref: 'c9' }, ASKING)).href)
  expect(await page.isVisible('#card_number')).toBe(false)
  const details = {
    email: 'anna@gmial.com',
    phone: '070-123 45 67',
    first_name: 'Anna',
    last_name: 'Berg',
  }
  for (const [name, text] of Object.entries({
    ...details,
    address_1: 'Storgatan 1',
    zip: '12345',
    city: 'Lund',
  }))
    await page.fill(`#${name}`, text)
  await page.selectOption('#country_code', 'SWE')
  await page.fill('#card_cvv', '20')
  await page.click(BUTTON)
  expect(await page.innerText('#problems li')).toBe('Enter the security code as it is on the card.')
  expect(await page.innerText('#email_meant')).toBe('Did you mean anna@gmail.com?')
  await page.click('#email_meant button')
  expect(await page.inputValue('#email')).toBe('anna@gmail.com')
  await page.fill('#card_cvv', '201')
  await page.click(BUTTON)
  await page.waitForURL(`${shop.url}/sorry?error_name=errors.payment.declined&**`)
})

test('the payer deletes a stored card with two presses, and no typed value is sent', async () => {
  const customer_ref = 'gone'
  await storeCard(customer_ref)
  const { page, requests } = await browser.open()
  await page.goto((await prepare({ customer_ref })).href)
  await page.check('#stored_card_none')
  await fill(page)
  await removeCard(page)
  expect(await page.innerText('#removed')).toBe('The card has been removed.')
  expect(await page.locator('#saved-cards').count()).toBe(0)
  const sent = new URLSearchParams(requests.find(({ method }) => method === 'POST')?.body)
  expect([...sent.keys()].sort()).toEqual(['action', 'stored_card', 'version'])
})

test('a form with missing details is not sent, and keeps the typed card', async () => {
  const { page, requests } = await browser.open()
  await page.goto((await prepare({}, ASKING)).href)
  await fill(page)
  await page.click(BUTTON)
  const links = await page
    .locator('#problems a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  const asked = ASKING.settings.payer_details.filter((name) => name !== 'address_2')
  expect(links).toEqual(asked.map((name) => `#${name}`))
  expect(await page.inputValue('#card_number')).toBe('4111 1111 1111 1111')
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
})

test('the page needs at most six requests and 30,000 bytes, calls no other server, and does not move while it loads', async () => {
  const { page, requests } = await browser.open()
  const sizes: Promise<number>[] = []
  page.on('response', (response) => sizes.push(response.headerValue('content-length').then(Number)))
  await page.goto((await prepare()).href, { waitUntil: 'networkidle' })
  const moved = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + Reflect.get(entry, 'value'), 0)),
        )
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 300)
      }),
  )
  // A busy browser paints the first logos of cards before the last, which is 0.0009 of the screen.
  expect(moved).toBeLessThan(0.002)
  expect(requests.filter(({ url }) => !url.startsWith(gateway.url))).toEqual([])
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(sizes.length).toBeLessThanOrEqual(6)
  expect(total).toBeGreaterThan(5_000)
  expect(total).toBeLessThan(30_000)
})

async function removeCard(page: Page) {
  await page.click('.remove summary')
  await page.click('.remove[open] button')
  await page.waitForSelector('#removed')
}

/** States of the page, each with a function that brings the page into the state. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  form: async (page) => {
    await page.goto((await prepare()).href)
  },
  'form with helper': async (page) => {
    await page.goto((await prepare()).href)
    await page.click('.helper summary')
    await page.click('.follows summary')
  },
  mistakes: async (page) => {
    await page.goto((await prepare()).href)
    await page.click(BUTTON)
  },
  swish: async (page) => {
    await page.goto((await prepare({ payment_method: 'swish' })).href)
    await page.fill('#swish_number', '123')
    await page.click('#swishform button')
    await page.waitForSelector('[role=alert]')
  },
  app: async (page) => {
    await page.goto(
      (await prepare({ payment_method: 'swish', swish_number: '46701234567', process: true })).href,
    )
  },
  bank: async (page) => {
    await page.goto((await prepare({ payment_method: 'bank', process: true })).href)
  },
  paypal: async (page) => {
    await page.goto(`${(await prepare()).href}?payment.selected=paypal`)
  },
  invoice: async (page) => {
    await page.goto(`${(await prepare()).href}?payment.selected=invoice`)
  },
  'invoice, address asked': async (page) => {
    const payment_details = JSON.stringify({ email: 'anna@example.com', phone: '0701234567' })
    await page.goto((await prepare({ payment_method: 'invoice', payment_details })).href)
    await page.fill('#personal_number', '198112189876')
    await page.click('#invoiceform button')
    await page.waitForSelector('#address')
    await page.click('.helper summary')
  },
  'stored cards and plans': async (page) => {
    await storeCard('c7')
    const terms = {
      name: 'Wool club',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"99.00"}',
    }
    const { id } = await call('/v1/plans', terms)
    await page.goto(
      (await prepare({ customer_ref: 'c7', metadata: JSON.stringify({ plans: [id] }) })).href,
    )
    await page.check('#stored_card_none')
    await page.click('.remove summary >> nth=0')
  },
  'a stored card removed': async (page) => {
    await storeCard('c6')
    await page.goto((await prepare({ customer_ref: 'c6' })).href)
    await removeCard(page)
  },
  declined: async (page) => {
    const { href } = await prepare()
    await send(href, { card_cvv: '201' })
    await page.goto(href)
  },
  receipt: async (page) => {
    const { id, href } = await prepare({ metadata: '{"order":{"note":"Leave at the door"}}' })
    await send(href)
    await call('/v1/refunds', {
      transaction_id: id,
      amount: '50.00',
      reason: 'Candles came broken',
    })
    await page.goto(href)
    await page.click('main > details:last-of-type summary')
  },
  reserved: async (page) => {
    const { href } = await prepare({ authorize: true })
    await send(href)
    await page.goto(href)
  },
  'all that may be asked': async (page) => {
    await storeCard('c8', ASKING)
    await page.goto((await prepare({ customer_ref: 'c8' }, ASKING)).href)
    await page.fill('#email', 'anna@gmial.com')
    await page.click(BUTTON)
    await page.waitForSelector('#email_meant button')
  },
  'the steps': async (page) => {
    const { href } = await prepare()
    await send(href, { card_number: '4000000000001091' })
    await page.goto(`${href}/story`)
    await page.click('.sequence summary')
  },
  '3-D Secure': async (page) => {
    const { href } = await prepare()
    await send(href, { card_number: '4000000000001091' })
    await page.goto(href)
  },
  'left before': async (page) => {
    await page.goto(`${(await prepare()).href}?error_name=errors.payment.canceled`)
  },
  expired: async (page) => {
    const { href } = await prepare({}, ASKING)
    await callControl(gateway, 'POST', '/clock/advance', { merchant_id: ASKING.id, seconds: 5_400 })
    await page.goto(href)
  },
  'used up': async (page) => {
    const { href } = await prepare({}, ASKING)
    const asked = {
      email: 'a@b.se',
      phone: '0701234567',
      first_name: 'A',
      last_name: 'B',
      address_1: 'C',
      zip: '1',
      city: 'D',
    }
    for (let tried = 0; tried < 2; tried++)
      await send(href, { ...asked, country_code: 'SWE', card_cvv: '201' })
    await page.goto(href)
  },
  'nobody’s': async (page) => {
    await page.goto(`${(await prepare()).href}x`)
  },
}

/**
 * Sizes and colours. The narrowest size is a phone, or a wide window at 400 % zoom (WCAG 1.4.10).
 */
const LOOKS = [
  { lang: 'sv', colorScheme: 'light', viewport: { width: 320, height: 640 } },
  { lang: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
] as const

/** Style sheet with wide spacing of letters, words and lines (WCAG 1.4.12). */
const ROOM =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'

describe.each(LOOKS)(
  'in $lang, $colorScheme, $viewport.width pixels wide,',
  ({ lang, ...options }) => {
    test.each(Object.keys(STATES))('axe finds no accessibility problem: %s', async (state) => {
      const { page } = await browser.open({ ...options, bypassCSP: true })
      await page.route(`${gateway.url}/v1/form/**`, (route) => {
        const url = new URL(route.request().url())
        url.searchParams.set('lang', lang)
        return route.continue({ url: url.href })
      })
      await STATES[state]?.(page)
      await expectToFit(
        page,
        `hosted-${state.replace(/\W+/g, '-')}-${lang}-${options.viewport.width}-${options.colorScheme}`,
      )
      expect(await page.getAttribute('html', 'lang')).toBe(lang)
      expect(await violationsOn(page)).toEqual([])
      await page.addStyleTag({ content: ROOM })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
        options.viewport.width,
      )
    })
  },
)
