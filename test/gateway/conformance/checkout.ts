import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Window } from 'happy-dom'
import { encode, type Fields, hashed, MERCHANT } from '../../helpers/gateway.ts'
import { cardOf, pathOf, payerAt, windowMessage } from '../three-d-secure/payer.ts'
import { posted, type World } from './world.ts'

/** Card fields that leave the browser encrypted. */
const SECRET = ['card_number', 'card_cvv', 'card_expiry']

const jQuery = readFileSync(
  fileURLToPath(import.meta.resolve('jquery-3/dist/jquery.min.js')),
  'utf8',
)

/** jQuery object of the form, with the method of the library. */
type Form = JQuery & { mondido(options: { type: 'ajax'; mpi: 'popup' | false }): void }

/** Checkout page of a merchant in an emulated browser, with the library that the gateway serves. */
export interface Checkout {
  /** Forms that the page has sent to {base_url}/v1/transactions. */
  readonly sent: readonly URLSearchParams[]
  /**
   * Adds a handler for an event of the library. The handler gets the arguments after the event as a
   * list.
   */
  on(event: string, handle: (args: readonly unknown[]) => unknown): void
  press(): void
  close(): Promise<void>
}

/** Opens the page. Its form pays with these fields, and without 3-D Secure. */
export const openCheckout = (world: World, over: Fields = {}): Promise<Checkout> =>
  open(world, over, false)

/**
 * Opens the page with a card that gets a challenge. The payer types the correct code in the window.
 */
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
 * Replaces the second window, which the emulated browser lacks: posts the form, and answers the
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
    const { html } = await payer.pressContinue(
      (await payer.atBank(bank.address, { code: '1234' })).html,
    )
    return windowMessage(html)
  }
}

/** Clicks the button, and waits for the first of some events. Returns its arguments. */
export const pressed = (page: Checkout, events: readonly string[]): Promise<readonly unknown[]> =>
  new Promise((resolve) => {
    for (const event of events) page.on(event, (args) => resolve([event, ...args]))
    page.press()
  })
