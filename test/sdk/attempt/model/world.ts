import jQuery from 'jquery'
import { vi } from 'vitest'
import type { ServedConfig } from '../../../../sdk/types.ts'
import { OTHER_PUBLIC_KEY, TEST_PUBLIC_KEY } from '../../../helpers/keys.ts'
import { addForm, input, installLibrary, press } from '../../helpers/shop.ts'
import { ANSWERS } from './answers.ts'
import { type Asked, type Before, type Deed, type Move, type Setting, TIMEOUTS } from './model.ts'

const PAY = 'https://pay.test'
const API = 'https://api.test'
const EVENTS =
  'payment:before payment:state payment:success payment:fail mpi:open mpi:blocked mpi:close'
const BUTTONS = { open: 'Open the window', cancel: 'Cancel' } as const
const DIRECTIVES = { 'connect-src': API, 'form-action': PAY, 'frame-src': PAY } as const

interface Request {
  readonly asked: Asked
  answer(status: number, body: string): void
  fail(): void
}

/**
 * The library on an emulated page. The browser's windows and requests, the service and the payer
 * are simulated.
 */
export class World {
  log: string[] = []
  readonly #form: HTMLFormElement
  readonly #config: ServedConfig
  #requests: Request[] = []
  #windows: { closed: boolean }[] = []
  #before: Before = 'go on'
  #plans: { at: string; deed: Deed }[] = []
  #isBlocking = false
  #nonce = ''
  #settle = { true: () => {}, false: () => {}, error: () => {} }

  constructor({ type, mpi }: Setting) {
    document.body.innerHTML = ''
    // Forgets calls of earlier sessions.
    vi.clearAllMocks()
    this.#config = {
      merchantId: '1',
      publicKey: TEST_PUBLIC_KEY,
      apiUrl: API,
      payUrl: PAY,
      cdnUrl: 'https://cdn.test',
    }
    if (mpi !== 'none') this.#config.mpiUrl = `${PAY}/v1/mpi_js`
    installLibrary(this.#config)
    this.#replaceBrowser()
    const extra = '<input name="asked" required>'
    this.#form = addForm({ card: { card_cvv: '', card_expiry: '' }, extra })
    input(this.#form, 'asked').value = 'x'
    jQuery(this.#form).on(EVENTS as 'payment:state', (event, detail) =>
      this.#hear(event, Object(detail)),
    )
    jQuery(this.#form).mondido({
      type,
      mpi: mpi === 'none' ? 'auto' : mpi,
      clearOnSuccess: false,
      timeouts: TIMEOUTS,
    })
  }

  get sight(): string {
    const views = [
      ...this.#windows.filter(({ closed }) => !closed).map(() => 'popup'),
      ...[...document.querySelectorAll('iframe')].map(() => 'iframe'),
    ]
    const panels = [...document.querySelectorAll('dialog')].map((panel) =>
      panel.textContent?.includes('Open the window') ? 'blocked' : 'waiting',
    )
    return [this.#form.dataset.mondidoState ?? '', ...views, ...panels].join(', ')
  }

  get asked(): Asked[] {
    return this.#requests.map(({ asked }) => asked)
  }

  /** Ends the running session. */
  end(): void {
    this.#plans = []
    jQuery(this.#form).mondido('destroy')
  }

  async play(move: Move): Promise<void> {
    const play = this.#moves[move.do] as (move: Move) => unknown
    await play(move)
    // Runs work that was scheduled immediately after the end.
    await vi.advanceTimersByTimeAsync(1)
  }

  readonly #moves: { [Does in Move['do']]: (move: Extract<Move, { do: Does }>) => unknown } = {
    // The browser itself does not submit a form with an empty required field.
    press: () => this.#form.checkValidity() && press(this.#form),
    submit: () => jQuery(this.#form).mondido('submit'),
    abort: () => jQuery(this.#form).mondido('abort'),
    destroy: () => jQuery(this.#form).mondido('destroy'),
    reset: () => this.#reset(),
    'come back': () =>
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
    'shut window': () => Object.assign(this.#windows.at(-1) ?? {}, { closed: true }),
    click: ({ button }) => {
      const buttons = [...document.querySelectorAll<HTMLElement>('dialog button')]
      buttons.find(({ textContent }) => textContent === BUTTONS[button])?.click()
    },
    before: ({ answers }) => {
      this.#before = answers
    },
    settle: (move) => this.#settle[move.with](),
    fill: ({ well }) => {
      input(this.#form, 'asked').value = well ? 'x' : ''
    },
    block: ({ well }) => {
      this.#isBlocking = well
    },
    plan: (plan) => this.#plans.push(plan),
    answer: ({ nth, to }) => {
      const request = this.#take(nth)
      const answer = request && ANSWERS[to[request.asked]]
      if (answer) request.answer(answer.status, this.#text(answer.body))
    },
    break: ({ nth }) => this.#take(nth)?.fail(),
    message: ({ says }) => {
      const source = document.querySelector('iframe')?.contentWindow ?? this.#windows.at(-1)
      const data = this.#text(ANSWERS[says]?.body ?? '')
      window.dispatchEvent(Object.assign(new Event('message'), { data, origin: PAY, source }))
    },
    forbid: ({ directive }) => {
      const about = {
        disposition: 'enforce',
        effectiveDirective: directive,
        blockedURI: DIRECTIVES[directive],
      }
      document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), about))
    },
    pass: ({ milliseconds }) => vi.advanceTimersByTimeAsync(milliseconds),
  }

  #take(nth: number): Request | undefined {
    return this.#requests.splice(nth % (this.#requests.length || 1), 1)[0]
  }

  #text(body: object | string): string {
    if (typeof body === 'object') return JSON.stringify({ nonce: this.#nonce, ...body })
    if (!body.endsWith(' key')) return body
    const other = [TEST_PUBLIC_KEY, OTHER_PUBLIC_KEY].find((key) => key !== this.#config.publicKey)
    const publicKey = body === 'the same key' ? this.#config.publicKey : other
    return `window.config = ${JSON.stringify({ publicKey })};`
  }

  #reset(): void {
    this.#form.dispatchEvent(new Event('reset', { cancelable: true }))
  }

  #hear({ type }: { type: string }, detail: Record<string, unknown>): unknown {
    const { to, code, outcome, mode, reason } = detail
    const [, name = ''] = type.split(':')
    const event = [name, to ?? code ?? mode ?? reason, outcome].filter(Boolean).join(' ')
    this.log.push(event)
    const planned = this.#plans.findIndex(({ at }) => event.startsWith(at))
    const deed = planned < 0 ? undefined : this.#plans.splice(planned, 1)[0]?.deed
    if (deed === 'throw') throw new Error('thrown by the page')
    if (deed === 'abort' || deed === 'submit' || deed === 'destroy')
      jQuery(this.#form).mondido(deed as 'submit')
    if (deed === 'reset') this.#reset()
    if (deed === 'retry' && typeof detail.retry === 'function') detail.retry()
    if (deed === 'prevent') return false
    return type === 'payment:before' ? this.#answerBefore() : undefined
  }

  #answerBefore(): unknown {
    if (this.#before === 'throw') throw new Error('thrown by the page')
    if (this.#before === 'return false' || this.#before === 'prevent') return false
    if (this.#before === 'go on') return undefined
    const answer = new Promise((resolve, reject) => {
      this.#settle = {
        true: () => resolve(true),
        false: () => resolve(false),
        error: () => reject(new Error('no')),
      }
    })
    // The answer may no longer be needed.
    answer.catch(() => {})
    return answer
  }

  #replaceBrowser(): void {
    let isPosted = false
    vi.mocked(window.open).mockImplementation(() => {
      isPosted = false
      this.log.push('window')
      if (this.#isBlocking) return null
      const opened = {
        closed: false,
        focus() {},
        close() {
          opened.closed = true
        },
        // The document cannot be read after the bank's page has loaded, because it has another
        // origin.
        get document() {
          return isPosted ? undefined : { body: { textContent: '' } }
        },
        location: { href: '' },
      }
      this.#windows.push(opened)
      return opened as unknown as Window
    })
    const post = (form: HTMLFormElement) => {
      this.#nonce = form.querySelector<HTMLInputElement>('[name=mpi_nonce]')?.value ?? this.#nonce
      this.log.push(form.target ? 'post bank' : 'post page')
      isPosted ||= !!form.target
    }
    vi.mocked(HTMLFormElement.prototype.submit).mockImplementation(function (
      this: HTMLFormElement,
    ) {
      post(this)
    })
    Object.assign(navigator, { sendBeacon: () => this.log.push('cancel') })
    vi.stubGlobal('XMLHttpRequest', this.#requestClass())
  }

  #requestClass() {
    const requests = () => this.#requests
    const note = (asked: Asked) => this.log.push(asked)
    return class {
      onload: (() => void) | null = null
      onerror: (() => void) | null = null
      status = 0
      responseText = ''
      #request: Request | undefined
      #url = ''
      #method = ''
      open(method: string, url: string) {
        this.#method = method
        this.#url = url
      }
      send() {
        const asked: Asked = this.#url.includes('mpi_js')
          ? 'look'
          : this.#url.includes('mondido.js')
            ? 'script'
            : this.#method === 'POST'
              ? 'pay'
              : 'ask'
        this.#request = {
          asked,
          answer: (status, body) => {
            Object.assign(this, { status, responseText: body })
            this.onload?.()
          },
          fail: () => this.onerror?.(),
        }
        note(asked)
        requests().push(this.#request)
      }
      abort() {
        const all = requests()
        const index = this.#request ? all.indexOf(this.#request) : -1
        if (index >= 0) all.splice(index, 1)
      }
      getAllResponseHeaders() {
        return ''
      }
    }
  }
}
