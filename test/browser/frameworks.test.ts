/**
 * Tests of the library on pages with frameworks that send forms by themselves. Each page uses the real package, and a
 * form without and with names on its card inputs.
 */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { launchBrowser, type WatchedPage } from '../helpers/browser.ts'
import { TEST_PUBLIC_KEY } from '../helpers/keys.ts'
import { builtPath, builtText, ensureBuild } from '../sdk/helpers/build.ts'

const SHOP = 'http://shop.localhost'
const GATEWAY = 'http://gateway.localhost'
const CARD_NUMBER = '4111111111111111'
const ORDER = 'order-77'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const addresses = { apiUrl: GATEWAY, payUrl: GATEWAY, cdnUrl: GATEWAY }
const config = { merchantId: '1', publicKey: TEST_PUBLIC_KEY, ...addresses }

ensureBuild()
/** Scripts of the shop by address. */
const scripts = new Map<string, string>([
  [
    '/mondido.js',
    `var __mondido_config=${JSON.stringify(config)};\n${builtText('mondido.min.js')}`,
  ],
])

/** Pages with the npm package, in test/browser/frameworks. Each renders its form. */
const BUNDLED: readonly string[] = ['react', 'lit']

const browser = await launchBrowser()
for (const name of BUNDLED) {
  const build = await rolldown({
    input: fromRoot(`test/browser/frameworks/${name}.${name === 'react' ? 'tsx' : 'ts'}`),
    platform: 'browser',
    resolve: {
      alias: {
        'mondido-js/react': builtPath('mondido.react.js'),
        'mondido-js': builtPath('mondido.esm.js'),
      },
    },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await build.generate({ format: 'iife', codeSplitting: false })
  scripts.set(`/${name}.js`, output[0].code)
}

/** Page of a shop with a framework. */
interface FrameworkPage {
  /** Packages whose scripts the page loads, in order; `library` is the library. */
  readonly load: readonly string[]
  /** Attributes of the form and of the body. */
  readonly form?: string
  readonly body?: string
  /** Code of the page. Default: mounts the form. */
  readonly code?: string
  /** False for a bundled page whose form has no action. */
  readonly hasAction?: boolean
  /** True for a page that a visit of the framework reaches. */
  readonly isVisited?: true
}

const MOUNT = "jQuery('#pay').mondido()"
/** A page script mounts the form after htmx has bound it. */
const MOUNT_LATE = `addEventListener('load', () => ${MOUNT})`
const JQUERY = 'jquery/dist/jquery.min.js'
const TURBO = '@hotwired/turbo/dist/turbo.es2017-umd.js'
const HTMX = 'htmx.org/dist/htmx.min.js'
const HTMX_2 = 'htmx-2/dist/htmx.min.js'
const UNPOLY = 'unpoly/unpoly.min.js'
const UJS = '@rails/ujs/app/assets/javascripts/rails-ujs.js'

const PAGES: Readonly<Record<string, FrameworkPage>> = {
  'Turbo, a form with method="post"': { load: [TURBO, JQUERY, 'library'], form: 'method="post"' },
  'Turbo, a form without a method': { load: [TURBO, JQUERY, 'library'] },
  'Turbo, loaded after the library': { load: [JQUERY, 'library', TURBO], form: 'method="post"' },
  'Turbo, reached by a visit': { load: [TURBO, JQUERY, 'library'], isVisited: true },
  'htmx 4 with hx-boost, loaded before': {
    load: [HTMX, JQUERY, 'library'],
    body: 'hx-boost:inherited="true"',
    form: 'method="post"',
    code: MOUNT_LATE,
  },
  'htmx 4 with hx-boost, loaded after': {
    load: [JQUERY, 'library', HTMX],
    body: 'hx-boost:inherited="true"',
  },
  'htmx 2 with hx-boost, loaded before': {
    load: [HTMX_2, JQUERY, 'library'],
    body: 'hx-boost="true"',
    form: 'method="post"',
    code: MOUNT_LATE,
  },
  'htmx 2 with hx-boost, loaded after': {
    load: [JQUERY, 'library', HTMX_2],
    body: 'hx-boost="true"',
  },
  'rails-ujs with data-remote': {
    load: [UJS, JQUERY, 'library'],
    form: 'method="post" data-remote="true"',
  },
  'React with a form action': { load: ['react'] },
  'React with inputs that are disabled while it pays': { load: ['react'], hasAction: false },
  'Lit, a form in a shadow root': { load: ['lit'] },
  'Unpoly, for every form': {
    load: [UNPOLY, JQUERY, 'library'],
    form: 'method="post"',
    code: `up.form.config.submitSelectors.push('form')
      up.compiler('#pay', (form) => void jQuery(form).mondido())`,
  },
  'jQuery, loaded again after the library': { load: [JQUERY, 'library', JQUERY] },
  'a script that replaces Event, as MooTools does': {
    load: [JQUERY, 'library'],
    code: `window.Event = class {}; ${MOUNT}`,
  },
  'a script that sends every form that nobody prevents': {
    load: [JQUERY, 'library'],
    code: `${MOUNT}
      document.addEventListener('submit', (event) => {
        if (event.defaultPrevented) return
        event.preventDefault()
        fetch('/order', { method: 'POST', body: new FormData(event.target) })
      })`,
  },
}

interface OpenedShop extends WatchedPage {
  /** Bodies of the payments that reached the gateway. */
  readonly paid: readonly string[]
}

const FIELDS = {
  amount: '10.00',
  currency: 'sek',
  payment_ref: ORDER,
  hash: 'abc',
  test: 'true',
  card_holder: 'Kim',
}
const CARD = ['card_number', 'card_cvv', 'card_expiry']

/** Opens the page of a shop. Its gateway is simulated, and accepts every payment. */
async function openShop(
  { load, form = '', body = '', code = MOUNT, hasAction = true, isVisited }: FrameworkPage,
  type: string,
  isNamed: boolean,
): Promise<OpenedShop> {
  const watched = await browser.open()
  const { page } = watched
  const paid: string[] = []
  const tags = load.map((name) =>
    name === 'library' || BUNDLED.includes(name)
      ? `<script src="/${name === 'library' ? 'mondido' : name}.js" defer></script>`
      : `<script src="/npm/${name}" defer></script>`,
  )
  const plain = Object.entries(FIELDS).map(
    ([name, value]) => `<input name="${name}" value="${value}">`,
  )
  const card = CARD.map(
    (name) => `<input data-encrypt-attribute="${name}" ${isNamed ? `name="${name}"` : ''}>`,
  )
  const given = { config, options: { type }, fields: FIELDS, card: CARD, isNamed, hasAction }
  const url = `${GATEWAY}/v1/${type === 'ajax' ? 'transactions' : 'form'}`
  const checkout = load.some((name) => BUNDLED.includes(name))
    ? `<div id="root" data-given='${JSON.stringify(given)}'></div>`
    : `<form id="pay" action="/order" ${form} data-mondido-type="${type}" data-mondido-url="${url}">
         ${plain.join('')}${card.join('')}<button>Pay</button>
       </form>
       <script type="module">${code}</script>`
  const html = (content: string) =>
    `<!doctype html><html lang="en"><head><title>Shop</title>${tags.join('')}</head><body ${body}>${content}</body></html>`
  await page.route(`${SHOP}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.startsWith('/npm/'))
      return route.fulfill({ path: fromRoot(`node_modules/${pathname.slice(5)}`) })
    const script = scripts.get(pathname)
    if (script) return route.fulfill({ contentType: 'text/javascript', body: script })
    const content =
      pathname === '/start' ? '<a href="/">Pay</a>' : pathname === '/' ? checkout : 'Thanks'
    return route.fulfill({ contentType: 'text/html', body: html(content) })
  })
  await page.route(`${GATEWAY}/v1/**`, (route) => {
    const request = route.request()
    if (request.method() === 'POST') paid.push(request.postData() ?? '')
    return request.url().endsWith('/v1/form')
      ? route.fulfill({ contentType: 'text/html', body: 'Thanks' })
      : route.fulfill({
          headers: { 'access-control-allow-origin': '*' },
          json: { id: 1, status: 'approved', payment_ref: ORDER },
        })
  })
  await page.goto(isVisited ? `${SHOP}/start` : SHOP)
  if (isVisited) await page.click('a')
  await page.waitForSelector('[data-mondido-state]')
  return { ...watched, paid }
}

describe.each(Object.entries(PAGES))('%s', (_name, shop) => {
  test.each([
    ['ajax', true],
    ['form', false],
  ])('pays with type %s and names on the card inputs: %s', async (type, isNamed) => {
    const { page, paid, requests } = await openShop(shop, type, isNamed)
    await page.fill('[data-encrypt-attribute=card_number]', CARD_NUMBER)
    await page.fill('[data-encrypt-attribute=card_cvv]', '200')
    await page.fill('[data-encrypt-attribute=card_expiry]', '12/30')
    await page.click('button')
    await expect.poll(() => paid.length).toBe(1)
    const sent = new URLSearchParams(paid[0])
    expect(sent.get('encrypted')).toBe(CARD.join())
    expect(sent.get('payment_ref')).toBe(ORDER)
    if (type === 'form') await page.waitForURL(`${GATEWAY}/v1/form`)
    else await page.waitForSelector('[data-mondido-state=success]')
    const toShop = requests.filter(({ url }) => url.startsWith(SHOP))
    expect(JSON.stringify(toShop)).not.toContain(ORDER)
    expect(JSON.stringify(requests)).not.toContain(CARD_NUMBER)
    expect(page.url()).toBe(type === 'form' ? `${GATEWAY}/v1/form` : `${SHOP}/`)
  })
})
