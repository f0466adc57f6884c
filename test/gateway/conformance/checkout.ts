import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Window } from 'happy-dom'
import { hashed, MERCHANT } from '../../helpers/gateway.ts'
import { posted, type World } from './world.ts'

/** The fields of a card that leave the browser encrypted. */
const SECRET = ['card_number', 'card_cvv', 'card_expiry']

const jQuery = readFileSync(fileURLToPath(import.meta.resolve('jquery-3/dist/jquery.min.js')), 'utf8')

/** What jQuery and the library make of the form. */
type Form = JQuery & { mondido(options: { type: 'ajax'; mpi: false }): void }

/** A merchant's checkout page with the library that the gateway serves, in an emulated browser. */
export interface Checkout {
  /** Forms that the page has sent to {base_url}/v1/transactions. */
  readonly sent: readonly URLSearchParams[]
  /** Handles an event of the library; its arguments after the event come as a list. */
  on(event: string, handle: (args: readonly unknown[]) => unknown): void
  press(): void
  close(): Promise<void>
}

/** Opens the page; the form pays with a card of this CVV. */
export async function openCheckout({ browser }: World, card_cvv = '200'): Promise<Checkout> {
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
  const fields = Object.entries(hashed(posted({ card_cvv, locale: 'en' }), MERCHANT))
  const inputs = fields.map(([name, value]) =>
    SECRET.includes(name)
      ? `<input data-encrypt-attribute="${name}" value="${value}">`
      : `<input name="${name}" value="${value}">`,
  )
  window.document.body.innerHTML = `<form>${inputs.join('')}<button>Pay</button></form>`
  const form = (window as unknown as { jQuery(selector: string): Form }).jQuery('form')
  // An emulated browser opens no windows; 3-D Secure is tried in Chromium.
  form.mondido({ type: 'ajax', mpi: false })
  return {
    sent,
    on: (event, handle) => void form.on(event, (_event: unknown, ...args: unknown[]) => handle(args)),
    press: () => void form.find('button').trigger('click'),
    close: () => window.happyDOM.close(),
  }
}

/** Presses the button and tells the first event of these and its arguments. */
export const pressed = (page: Checkout, events: readonly string[]): Promise<readonly unknown[]> =>
  new Promise((resolve) => {
    for (const event of events) page.on(event, (args) => resolve([event, ...args]))
    page.press()
  })
