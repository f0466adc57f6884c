import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Window } from 'happy-dom'
import { encode, type Fields, hashed, MERCHANT } from '../../helpers/gateway.ts'
import { cardOf, pathOf, payerAt, toldBy } from '../three-d-secure/payer.ts'
import { posted, type World } from './world.ts'

/** The fields of a card that leave the browser encrypted. */
const SECRET = ['card_number', 'card_cvv', 'card_expiry']

const jQuery = readFileSync(
  fileURLToPath(import.meta.resolve('jquery-3/dist/jquery.min.js')),
  'utf8',
)

/** The form with jQuery and the library. */
type Form = JQuery & { mondido(options: { type: 'ajax'; mpi: 'popup' | false }): void }

/** A merchant's checkout page with the library that the gateway serves, in an emulated browser. */
export interface Checkout {
  /** Forms that the page has sent to {base_url}/v1/transactions. */
  readonly sent: readonly URLSearchParams[]
  /** Handles an event of the library; its arguments after the event come as a list. */
  on(event: string, handle: (args: readonly unknown[]) => unknown): void
  press(): void
  close(): Promise<void>
}

/** Opens the page; the form pays with these fields, and without 3-D Secure. */
export const openCheckout = (world: World, over: Fields = {}): Promise<Checkout> =>
  open(world, over, false)

/** The same with a card whose bank asks its holder, who types the right code into the window. */
export const openCheckoutWithBank = (world: World): Promise<Checkout> =>
  open(world, { card_number: cardOf(10) }, 'popup')

async function open(world: World, over: Fields, mpi: 'popup' | false): Promise<Checkout> {
  const { browser } = world
  const sent: URLSearchParams[] = []
  const window: Window = new Window({
    url: 'https://shop.example/checkout',
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      fetch: {
        disableSameOriginPolicy: true,
        interceptor: {
          async beforeAsyncRequest({ request }) {
            const { pathname, search } = new URL(request.url)
            const body = request.method === 'POST' ? await request.text() : null
            if (body !== null) sent.push(new URLSearchParams(body))
            const answer = await browser.send(request.method, pathname + search, body)
            return new window.Response(JSON.stringify(answer.body), { status: answer.status })
          },
        },
      },
    },
  })
  const library = await browser.get<string>('/v2/mondido.js', { merchant_id: MERCHANT.id })
  window.eval(jQuery)
  window.eval(library.body)
  const fields = Object.entries(hashed(posted({ locale: 'en', ...over }), MERCHANT))
  const inputs = fields.map(([name, value]) =>
    SECRET.includes(name)
      ? `<input data-encrypt-attribute="${name}" value="${value}">`
      : `<input name="${name}" value="${value}">`,
  )
  window.document.body.innerHTML = `<form>${inputs.join('')}<button>Pay</button></form>`
  const form = (window as unknown as { jQuery(selector: string): Form }).jQuery('form')
  if (mpi) emulateBank(world, window)
  form.mondido({ type: 'ajax', mpi })
  return {
    sent,
    on: (event, handle) =>
      void form.on(event, (_event: unknown, ...args: unknown[]) => handle(args)),
    press: () => void form.find('button').trigger('click'),
    close: () => window.happyDOM.close(),
  }
}

/**
 * The emulated browser has no second window: this one posts the form, and its payer answers the
 * bank immediately.
 */
function emulateBank(world: World, window: Window): void {
  const popup = {
    closed: false,
    focus() {},
    close() {
      popup.closed = true
    },
    document: { body: {} },
  }
  Object.assign(window, { open: () => popup })
  const { prototype } = window.HTMLFormElement
  prototype.submit = function () {
    const order = Object.fromEntries(
      [...this.querySelectorAll('input')].map(({ name, value }) => [name, value]),
    )
    void answer(order).then(({ message }) => {
      const said = {
        data: JSON.stringify(message),
        origin: new URL(this.action).origin,
        source: popup,
      }
      window.dispatchEvent(Object.assign(new window.Event('message'), said))
    })
  }

  async function answer(order: Fields) {
    const payer = payerAt(world)
    const begun = await world.browser.send('POST', '/v1/mpi_js', encode(order), {
      origin: 'https://shop.example',
    })
    const bank = await payer.open(pathOf(begun.headers.get('location')))
    const { html } = await payer.goOn((await payer.atBank(bank.address, { code: '1234' })).html)
    return toldBy(html)
  }
}

/** Clicks the button, and returns the first of some events with its arguments. */
export const pressed = (page: Checkout, events: readonly string[]): Promise<readonly unknown[]> =>
  new Promise((resolve) => {
    for (const event of events) page.on(event, (args) => resolve([event, ...args]))
    page.press()
  })
