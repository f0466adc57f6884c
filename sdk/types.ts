import type { Locale, MessageKey } from './ui/messages.ts'

/** Configuration that the gateway adds to the library it serves for one merchant. */
export interface ServedConfig {
  /** Merchant id in the script's address. */
  merchantId: string
  /** The merchant's RSA public key, PEM. */
  publicKey: string
  /** Origin of the REST API, without a trailing slash. */
  apiUrl: string
  /** Origin of the hosted payment page and the form endpoint, without a trailing slash. */
  payUrl: string
  /** Origin that this library was served from, without a trailing slash. */
  cdnUrl: string
  /** Address of the 3-D Secure entry; absent if the merchant has no 3-D Secure. */
  mpiUrl?: string
}

/** Codes of the library's own errors. The service's errors keep their own code. */
export type FaultCode =
  | `integration.${'no_jquery' | 'jquery_too_old' | 'not_jquery' | 'before' | 'payment_method'}`
  | `form.${'not_a_form' | 'no_encrypted_fields' | 'clear_card_data' | 'duplicate_field'}`
  | `form.${'unnamed_field' | 'unreadable_field' | 'file_input'}`
  | `config.public_key_${'missing' | 'invalid' | 'weak'}`
  | `config.${'option_invalid' | 'insecure_context' | 'url_invalid'}`
  | `config.merchant_${'missing' | 'mismatch'}`
  | `validation.${'native' | 'card_number' | 'expiry' | 'cvv' | 'holder'}`
  | 'field.too_long'
  | `crypto.${'unavailable' | 'failed'}`
  | `network.${'offline' | 'csp' | 'blocked' | 'timeout' | 'aborted' | 'unreachable'}`
  | `api.${'malformed' | 'pending'}`
  | `mpi.${'blocked' | 'closed' | 'failed' | 'timeout' | 'unreachable' | 'csp' | 'protocol'}`
  | 'internal'

/** State of a form's attempt to pay; `mpi` is the authentication at the payer's bank. */
export type MondidoState = 'idle' | 'before' | 'encrypting' | 'mpi' | 'sending' | 'success' | 'fail'

/**
 * How the bank's 3-D Secure page is shown. `auto`: in a window, else after another click, else in a
 * frame, else by leaving the page; `popup`: only in a window; `iframe`: in a frame; `redirect`: by
 * leaving the page; `false`: never.
 */
export type MpiMode = 'auto' | 'popup' | 'iframe' | 'redirect' | false

/** Reason why a 3-D Secure window closed. */
export type CloseWhy = 'completed' | 'closed' | 'cancelled' | 'timeout' | 'blocked' | 'aborted'

/**
 * Outcome of a failed attempt. `not_sent`: nothing reached the service; `rejected`: the service
 * definitely rejected it; `pending`: the transaction waits for the payer at its `href`; `unknown`:
 * the answer was lost, so the payment may have been made.
 */
export type Outcome = 'not_sent' | 'rejected' | 'pending' | 'unknown'

export type { Locale }

/**
 * Options of `$(form).mondido(options)`. Options win over `data-mondido-*` attributes of the form,
 * those over the defaults. Every time is in milliseconds.
 */
export interface MondidoOptions {
  /** `ajax`: pay without leaving the page; `form` (default): go to the hosted flow. */
  type?: 'ajax' | 'form'
  /** Address of the payment; else the form's `action`, else the served address. */
  url?: string
  /** Must equal the form's `merchant_id`; else the served merchant. Alias `merchant_id`. */
  merchantId?: string
  merchant_id?: string
  /** RSA public key, PEM; else the served key. Alias `public_key`. */
  publicKey?: string
  public_key?: string
  /** Default: `data-encrypt-attribute`, `data-encrypted-attribute`. */
  attributes?: readonly string[]
  /** Selector of controls that are never sent; default `[data-mondido-ignore]`. */
  ignore?: string
  /** How the bank's page is shown in ajax mode; default `auto`. */
  mpi?: MpiMode
  /**
   * `eager` (default): the bank authenticates the payer before the payment, and its window opens
   * with the payer's click. `lazy`: only if the service requires it.
   */
  mpiOpen?: 'eager' | 'lazy'
  /** Address of the 3-D Secure entry; else the served one. */
  mpiUrl?: string
  /** Origins that may send messages from the bank's window; default: the origin of `mpiUrl`. */
  mpiOrigins?: readonly string[]
  /** Size of window and frame in CSS pixels; default 500 x 600. */
  mpiSize?: { width: number; height: number }
  /** Element, or selector of one, the frame is put into; default a dialog of its own. */
  mpiContainer?: HTMLElement | string
  timeouts?: Partial<Timeouts>
  /**
   * Checks before paying: `native` (default) the browser's own, `card` also number, expiry, CVV and
   * holder, a function the page's own checks on top of the browser's, `false` none. A form with
   * `novalidate` skips the browser's.
   */
  validate?: false | 'native' | 'card' | ((form: HTMLFormElement) => FieldProblem[])
  /** Groups the card number and expiry while the payer types; default false. */
  format?: boolean
  /** Marks the submit buttons `aria-disabled` during an attempt; default true. */
  lockButtons?: boolean
  /** Class of the form during an attempt; default `mondido-busy`. */
  busyClass?: string
  /** Announces texts to screen readers and describes wrong fields; default true. */
  announce?: boolean
  /** Displays the texts, with the class `mondido-message`; default false. */
  showMessages?: boolean
  /** Shows a panel with a way to cancel while the bank's window is open; default true. */
  showWaiting?: boolean
  /** Empties the encrypted inputs after a successful payment; default true. */
  clearOnSuccess?: boolean
  /** Language of messages; else the form's `locale` field, else `<html lang>`, else English. */
  locale?: Locale
  /** Texts that replace the built-in ones. */
  messages?: Partial<Record<MessageKey, string>>
  /** Selector of forms inside the element, also of those added later. */
  delegate?: string | undefined
  /** Called with the transaction, as `payment:success` is; pages of 2014 have it. */
  success?: (transaction: Transaction) => void
  /** Called with the error, as `payment:fail` is; pages of 2014 have it. */
  error?: (error: MondidoError) => void
  /** Explains mark-up mistakes on the console; default: for test payments and on localhost. */
  debug?: boolean
}

/** Waiting times in milliseconds. */
export interface Timeouts {
  /** For a promise given to `payment:before`; default 30,000. */
  before: number
  /** For the answer to a payment; default 60,000. */
  request: number
  /** For one answer of the status lookup after a lost answer; default 10,000. */
  status: number
  /** Between two status lookups; default 1,000. */
  statusRetry: number
  /** Until the service is asked, if the browser stays in form mode; default 5,000. */
  leave: number
  /** For the payer's time at the bank; default 600,000. */
  mpi: number
  /** After the bank's window closed, for a late message; default 1,500. */
  closeGrace: number
  /** Between two checks of the bank's window; default 250. */
  closePoll: number
}

/** A problem with one field, found by a check of the page or of the library. */
export interface FieldProblem {
  /** Parameter name. */
  field: string
  /** Code of the problem, for example `validation.card_number`. */
  code: string
  /** Text for the payer. */
  message: string
  element?: Element
}

/** Argument of `payment:fail`. Never contains the unencrypted value of an encrypted field. */
export interface MondidoError {
  category: 'integration' | 'validation' | 'crypto' | 'mpi' | 'network' | 'api' | 'internal'
  /** The API's number, or a code of the library or of the page's own check. */
  code: number | FaultCode | (string & {})
  /** The API's error name when there is one, else the code. */
  name: string
  /** Text for the payer, in the payer's language. */
  description: string
  /** Same as `description`. */
  message: string
  outcome: Outcome
  /** True only when nothing was charged and trying again can help. */
  retryable: boolean
  /** State of the attempt when it failed. */
  state: MondidoState
  /** Parameter with the problem. */
  field?: string
  fields?: FieldProblem[]
  /** HTTP status, 0 without an answer. */
  status: number
  /** Id of the attempt, sent as `mondido_attempt`. */
  attempt: string
  /** The pending transaction; only with outcome `pending`. */
  transaction?: Transaction
  cause?: unknown
}

/** The service's transaction (specification: Transaction); the fields a page needs first. */
export interface Transaction {
  id: number
  status: string
  payment_ref: string
  /** Address of the hosted page where the payer can pay it. */
  href?: string
  [field: string]: unknown
}

/** One form's payments, without jQuery. */
export interface MondidoController {
  readonly form: HTMLFormElement
  readonly state: MondidoState
  /** Id of the running or last attempt: 32 hexadecimal digits. */
  readonly attempt: string | null
  /** Pays, as if the payer had pressed `submitter`; ignored while busy or paid. */
  submit(submitter?: HTMLElement): void
  /**
   * Ends the running attempt with `network.aborted`. A request that was sent cannot be cancelled:
   * its outcome is `unknown`.
   * @returns the outcome, or null if no attempt is running
   */
  abort(): Outcome | null
  /** Brings the bank's window or frame to the front; false if there is none. */
  focusWindow(): boolean
  /** Changes options between attempts; ignored with a warning during one. */
  option(options: Partial<MondidoOptions>): void
  /** Ends the running attempt without an event, and restores the form. */
  destroy(): void
}

/** The object `$.mondido`. */
export interface MondidoStatic {
  readonly version: string
  /** Defaults of all forms; may be changed. */
  defaults: Required<Pick<MondidoOptions, 'type' | 'mpi' | 'mpiOpen' | 'format'>>
  /**
   * Encrypts a value: base64(RSA(base64(UTF-8))), with the given or the served key.
   * @throws Error with `code` `field.too_long`, `crypto.unavailable` or `config.public_key_*`
   */
  encrypt(value: string, publicKey?: string): string
  /** Returns the longest value that can be encrypted, in UTF-8 bytes: 183 for 2048 bits. */
  maxBytes(publicKey?: string): number
  card: {
    /** Returns the card type in lower case; null if unknown. Ignores blanks and dashes. */
    brand(number: string): string | null
    /** Returns true if the check digit is correct; blanks and dashes are ignored. */
    luhn(number: string): boolean
    /** Returns true until the month ends. The year has two or four digits. */
    expiry(month: string, year: string, now?: Date): boolean
  }
  /** Registers a merchant, as the served script does with its own configuration. */
  configure(config: ServedConfig): void
  /** Adds the plugin to a jQuery.
   * @throws Error with `code` `integration.not_jquery` or `integration.jquery_too_old` */
  install(jq: JQueryStatic): void
  /** Restores the previous `$.fn.mondido` and `$.mondido`. */
  noConflict(): MondidoStatic
}

/** Events on the form, and their second argument. */
export interface MondidoEvents {
  'payment:before': { attempt: string; form: HTMLFormElement }
  'payment:success': Transaction
  'payment:fail': MondidoError
  'payment:state': { attempt: string; from: MondidoState; to: MondidoState }
  'card:brand': { brand: string | null }
  'mpi:open': { attempt: string; mode: 'popup' | 'iframe'; window: Window | null }
  'mpi:blocked': { attempt: string; retry(): boolean }
  'mpi:close': { attempt: string; reason: CloseWhy }
}

/** Additional members of the jQuery event of every `payment:*` and `mpi:*` event. */
export interface MondidoEventExtras {
  attempt?: string
  transaction?: Transaction
  error?: MondidoError
  mondido: MondidoController
  /** `payment:before` waits for the promise; a rejection or `false` stops the attempt. */
  waitUntil(wait: PromiseLike<unknown>): void
}

/** The jQuery event of an event of the library. */
export type MondidoJQueryEvent<TElement> = JQuery.TriggeredEvent<
  TElement,
  undefined,
  TElement,
  HTMLFormElement
> &
  MondidoEventExtras

/** A jQuery handler of an event of the library. */
export type MondidoHandler<TElement, Name extends keyof MondidoEvents> = (
  this: TElement,
  event: MondidoJQueryEvent<TElement>,
  detail: MondidoEvents[Name],
) => unknown

/** The native event of an event of the library: its argument is the `detail`. */
export type MondidoTwin<Name extends keyof MondidoEvents> = CustomEvent<MondidoEvents[Name]> &
  Pick<MondidoEventExtras, 'waitUntil'>

/** Name of the native event: `mondido:mpi-open` for `mpi:open`. */
export type MondidoTwinName<Name extends keyof MondidoEvents> =
  Name extends `${'payment' | 'card'}:${infer Rest}`
    ? `mondido:${Rest}`
    : Name extends `${infer First}:${infer Rest}`
      ? `mondido:${First}-${Rest}`
      : never

/** Every native event by its name. */
export type MondidoTwins = {
  [Name in keyof MondidoEvents as MondidoTwinName<Name>]: MondidoTwin<Name>
}

// Extends @types/jquery, and is sufficient for pages without it.
declare global {
  namespace JQuery {
    interface TriggeredEvent<TDelegateTarget, TData, TCurrentTarget, TTarget> {
      type: string
      delegateTarget: TDelegateTarget
      data: TData
      currentTarget: TCurrentTarget
      target: TTarget
      preventDefault(): void
      isDefaultPrevented(): boolean
    }
  }
  interface HTMLElementEventMap extends MondidoTwins {}
  interface JQuery<TElement = HTMLElement> {
    on<Name extends keyof MondidoEvents>(event: Name, run: MondidoHandler<TElement, Name>): this
    one<Name extends keyof MondidoEvents>(event: Name, run: MondidoHandler<TElement, Name>): this
    /** Mounts the library on the forms, once; later calls change options. */
    mondido(options?: MondidoOptions): this
    mondido(command: 'submit' | 'destroy' | 'focusWindow'): this
    mondido(command: 'abort'): Outcome | null
    mondido(command: 'state'): MondidoState
    mondido(command: 'option', options: Partial<MondidoOptions>): this
    mondido(command: 'instance'): MondidoController | undefined
  }
  interface JQueryStatic {
    mondido: MondidoStatic
  }
}
