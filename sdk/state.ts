import type { Payload } from './attempt/payload.ts'
import type { Verdict } from './attempt/verdict.ts'
import type { Emit, Sink } from './form/events.ts'
import type { Scope } from './scope.ts'
import type { Configs } from './settings/merchant.ts'
import type { Settings } from './settings/options.ts'
import type { ServedConfig } from './settings/served-config.ts'
import type { Refusal } from './three-d-secure/answer.ts'
import type {
  CloseWhy,
  MondidoController,
  MondidoOptions,
  MondidoState,
  MondidoStatic,
} from './types.ts'
import type { FormFace } from './ui/form-face.ts'

/** What the forms of one library share. */
export interface Shared {
  configs: Configs
  defaults: MondidoStatic['defaults']
}

/** A form in the library's hands, and how far it has come. */
export interface Mounted {
  form: HTMLFormElement
  shared: Shared
  options: MondidoOptions
  controller: MondidoController
  /** jQuery handlers to tell of events. */
  sinks: Set<Sink>
  emit: Emit
  /** Ends when the controller is destroyed. */
  scope: Scope
  face: FormFace
  state: MondidoState
  /** Undefined once the form stands as before it. */
  lastAttempt?: Attempt | undefined
  isExamined?: true
  /** Submissions in a row that a handler prevented, and attempts that `payment:before` stopped. */
  prevented: number
  stopped: number
}

/** One attempt to pay: what it goes by, and how far it has come. */
export interface Attempt {
  readonly id: string
  readonly mounted: Mounted
  /** Those of its beginning. */
  readonly settings: Settings
  readonly submitter: HTMLElement | null
  /** Ends with the attempt. */
  readonly scope: Scope
  sent?: Payload | undefined
  /** Whose key encrypted the payment. */
  keyOf?: ServedConfig | undefined
  isRenewed?: true
  /** Whether the payment was encrypted with the merchant's key of now, as far as anybody knows. */
  isKeyRight?: boolean
  isVisited?: true
  bank?: Bank | undefined
}

/** The payer's bank in one attempt: at most one window or frame, and one answer. */
export interface Bank {
  /** Opens the window in the caller's stack, unless that was tried before. */
  open(): void
  /** Brings window or frame forward; false when there is none. */
  focus(): boolean
  /** Takes everything away. */
  close(reason: CloseWhy): void
  /**
   * Lets the bank see the payer; the window opens in the caller's stack.
   * @returns the payment with what the bank says of the payer; or the way to the hosted flow, when
   *   the page can show no bank; or the service's no
   * @throws Fault of the category mpi
   */
  ask(payload: Payload): Promise<Payload | Refusal>
  /** Shows the page of a payment that waits for the payer, until it waits no more.
   * @param ask asks the service what became of the payment
   * @throws Fault of the category mpi */
  visit(href: string, ask: () => Promise<Verdict | 'no_such_attempt' | undefined>): Promise<Verdict>
}
