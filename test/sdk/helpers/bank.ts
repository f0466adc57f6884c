import emulator from 'node:console'
import jQuery from 'jquery'
import { afterEach, beforeEach, vi } from 'vitest'
import type { CloseWhy, MondidoOptions } from '../../../sdk/types.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'
import { addForm, installLibrary, press } from './shop.ts'

const ADDRESS = 'https://pay.test'
const CONFIG = {
  merchantId: '1',
  publicKey: TEST_PUBLIC_KEY,
  apiUrl: 'https://api.test',
  cdnUrl: 'https://cdn.test',
}

/** Message of the bank after a successful authentication. */
export const PASSED = {
  event: 'mpi',
  success: true,
  mpi_ref: 'm-1',
  eci: '05',
  provider_ref: 'p-1',
}

/** Status of a payer who has left the bank without an answer. */
export const GONE = {
  event: 'mpi',
  status: 'pending',
  success: null,
  at_bank: false,
  challenge: true,
}

/** Message of the bank's page to the page that opened it, when it shows a challenge. */
export const CHALLENGE = { event: 'mpi', status: 'pending', challenge: true }

/**
 * Page with the library and with simulated bank, window and service. Only the library is real, and
 * the test moves the time.
 */
export interface FakeBank {
  /** Events of the payment so far. */
  events: string[]
  /** Reasons of `mpi:close`. */
  closed: CloseWhy[]
  /** Windows that the page tried to open. */
  windows: FakeWindow[]
  /** Forms that were posted. */
  posts: { url: string; target: string; fields: Record<string, string> }[]
  /** Requests that were sent: method, address, fields. */
  requests: { method: string; url: string; fields: Record<string, string> }[]
  /** Addresses of cancelled authentications. */
  cancelled: string[]
  /** True if the browser blocks windows. A test can change it. */
  isBlocking: boolean
  /**
   * Status of the authentication: pending, unless a test changes it. A number is an HTTP status
   * without a body.
   */
  status: object | number
  /** Answer of the service to the payment, and to a status request after it. */
  transaction: object
  /** Source of the library that the gateway serves now. */
  script: string
  /** Returns the nonce of the authentication. */
  nonce(): string
  /** Returns the page in the bank's window or frame. */
  page(): unknown
  /** Sends a message from a window to the page. */
  tell(message: object | string, from?: { origin?: string; source?: unknown }): void
}

interface FakeWindow {
  name: string
  features: string
  closed: boolean
  focus(): void
  close(): void
  document: { body: { textContent: string } }
  location: { href: string }
}

/** Creates a new page for each test of a file. */
export function useBank(): FakeBank {
  const bank = {} as FakeBank
  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(bank, {
      events: [],
      closed: [],
      windows: [],
      posts: [],
      requests: [],
      cancelled: [],
    })
    Object.assign(bank, { isBlocking: false, status: { ...GONE, at_bank: true } })
    Object.assign(bank, { transaction: { id: 1, status: 'approved' }, script: '' })
    bank.nonce = () => bank.posts.at(-1)?.fields.mpi_nonce ?? ''
    bank.page = () => bank.windows.at(-1) ?? document.querySelector('iframe')?.contentWindow
    bank.tell = (message, { origin = ADDRESS, source = bank.page() } = {}) => {
      const data = typeof message === 'string' ? message : { nonce: bank.nonce(), ...message }
      const event = Object.assign(new Event('message'), { data, origin, source })
      window.dispatchEvent(event)
    }
    // The emulated browser reports here that it does not load frames.
    vi.spyOn(emulator, 'error').mockReturnValue()
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(window, 'open').mockImplementation((_url, name = '', features = '') => {
      if (bank.isBlocking) return null
      const opened: FakeWindow = {
        name,
        features,
        closed: false,
        focus: vi.fn(),
        close: vi.fn(() => {
          opened.closed = true
        }),
        document: { body: { textContent: '' } },
        location: { href: '' },
      }
      bank.windows.push(opened)
      return opened as unknown as Window
    })
    vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (
      this: HTMLFormElement,
    ) {
      const fields = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value])
      const [url, target] = ['action', 'target'].map((name) => this.getAttribute(name) ?? '') as [
        string,
        string,
      ]
      bank.posts.push({ url, target, fields: Object.fromEntries(fields) })
    })
    // The emulated browser does not load frames, and they have no window.
    vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockImplementation(function (
      this: HTMLElement,
    ) {
      return this.isConnected ? (FRAME as Window) : null
    })
    vi.stubGlobal('XMLHttpRequest', createRequests(bank))
    Object.assign(navigator, {
      sendBeacon: (url: string) => {
        bank.cancelled.push(url)
        return true
      },
    })
    installLibrary({ ...CONFIG, payUrl: ADDRESS, mpiUrl: `${ADDRESS}/v1/mpi_js` })
  })
  afterEach(() => {
    for (const form of document.forms) jQuery(form).mondido?.('destroy')
    jQuery(document).off(
      'mpi:open mpi:close mpi:blocked payment:before payment:success payment:fail',
    )
    document.body.innerHTML = ''
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  return bank
}

const FRAME: unknown = { closed: false, location: { href: '' } }

/**
 * Creates a replacement of XMLHttpRequest, which the simulated service answers in the next task.
 */
function createRequests(bank: FakeBank) {
  return class {
    onload: (() => void) | null = null
    status = 0
    responseText = ''
    #method = ''
    #url = ''
    open(method: string, url: string) {
      this.#method = method
      this.#url = url
    }
    send(body?: URLSearchParams) {
      bank.requests.push({
        method: this.#method,
        url: this.#url,
        fields: Object.fromEntries(body ?? []),
      })
      Promise.resolve().then(() => {
        const given = this.#url.includes('/mpi_js/')
          ? bank.status
          : this.#method === 'POST'
            ? bank.transaction
            : { state: 'done', transaction: bank.transaction }
        this.status = typeof given === 'number' ? given : 200
        if (this.#url.startsWith(CONFIG.cdnUrl)) this.responseText = bank.script
        else
          this.responseText =
            typeof given === 'number' ? '' : JSON.stringify({ nonce: bank.nonce(), ...given })
        this.onload?.()
      })
    }
    abort() {}
    getAllResponseHeaders() {
      return ''
    }
  }
}

/** Mounts a form in ajax mode, and presses its button, so that the payer is at the bank. */
export function payAtBank(
  bank: FakeBank,
  options: MondidoOptions = {},
  formOptions: Parameters<typeof addForm>[0] = {},
): HTMLFormElement {
  const form = mountAtBank(bank, options, formOptions)
  press(form)
  return form
}

/** Mounts a form in ajax mode, without pressing its button. */
export function mountAtBank(
  bank: FakeBank,
  options: MondidoOptions = {},
  formOptions: Parameters<typeof addForm>[0] = {},
): HTMLFormElement {
  const form = addForm(formOptions)
  const note = (
    { type }: JQuery.TriggeredEvent,
    detail: { reason?: CloseWhy; code?: unknown; mode?: string },
  ) => {
    bank.events.push([type, detail.mode ?? detail.reason ?? detail.code].filter(Boolean).join(' '))
    if (type === 'mpi:close' && detail.reason) bank.closed.push(detail.reason)
  }
  jQuery(form).mondido({ type: 'ajax', ...options })
  for (const name of [
    'mpi:open',
    'mpi:blocked',
    'mpi:close',
    'payment:success',
    'payment:fail',
  ] as const) {
    jQuery(form).on(name as 'mpi:open', note as never)
  }
  return form
}

/** Advances the time by milliseconds, and runs all timers until then. */
export const pass = (milliseconds = 0): Promise<unknown> =>
  vi.advanceTimersByTimeAsync(milliseconds)
