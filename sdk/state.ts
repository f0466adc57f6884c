import type { Refusal, Verdict } from './attempt/verdict.ts'
import type { Control } from './form/controls.ts'
import type { Emit, Sink } from './form/events.ts'
import type { Pair } from './form/snapshot.ts'
import type { Scope } from './scope.ts'
import type { Configs } from './settings/merchant.ts'
import type { Settings } from './settings/options.ts'
import type {
  CloseWhy,
  MondidoController,
  MondidoOptions,
  MondidoState,
  MondidoStatic,
  ServedConfig,
} from './types.ts'
import type { FormFace } from './ui/form-face.ts'

/** State shared by the forms of one library. */
export interface LibraryState {
  configs: Configs
  defaults: MondidoStatic['defaults']
}

/** A mounted form and its state. */
export interface MountedForm {
  form: HTMLFormElement
  shared: LibraryState
  options: MondidoOptions
  controller: MondidoController
  /** jQuery handlers that receive events. */
  sinks: Set<Sink>
  emit: Emit
  /** Ends when the controller is destroyed. */
  scope: Scope
  face: FormFace
  state: MondidoState
  lastAttempt?: Attempt | undefined
  isExamined?: true
  /** State when the current submit event began; undefined between events. */
  begun?: BegunSubmission | undefined
  /** True if the integrator knows that a handler refuses the submissions. */
  isRefusalTold?: boolean
  /** Number of consecutive attempts that `payment:before` stopped. */
  stopped: number
}

/** State of a form when a submit event began, before the page's handlers changed it. */
export interface BegunSubmission {
  enabled: ReadonlySet<Control>
  lastAttempt: Attempt | undefined
}

/** An attempt to pay and its state. */
export interface Attempt {
  readonly id: string
  readonly mounted: MountedForm
  /** Settings at the start of the attempt. */
  readonly settings: Settings
  readonly submitter: HTMLElement | null
  /** Controls whose values count, although a handler may have disabled them since. */
  readonly enabled: ReadonlySet<Control>
  /** Ends with the attempt. */
  readonly scope: Scope
  sent?: Payload | undefined
  /** Configuration with the key that encrypted the payment. */
  keyOf?: ServedConfig | undefined
  isRenewed?: true
  /** True if the payment was encrypted with the merchant's current key, as far as is known. */
  isKeyRight?: boolean
  isVisited?: true
  bank?: Bank | undefined
}

/** The bank of one attempt: at most one window or frame, and one answer. */
export interface Bank {
  /** Opens the window synchronously, unless that was tried before. */
  open(): void
  /** Brings the window or frame to the front; false if there is none. */
  focus(): boolean
  /** Closes the window or frame. */
  close(reason: CloseWhy): void
  /**
   * Authenticates the payer at the bank; the window opens synchronously.
   * @returns the payment with the bank's result, or for the hosted flow if the page cannot show the
   *   bank; or the service's rejection
   * @throws Fault of the category mpi
   */
  ask(payload: Payload): Promise<Payload | Refusal>
  /**
   * Shows the page of a payment that waits for the payer, until it no longer does.
   * @param ask requests the payment's status
   * @throws Fault of the category mpi
   */
  visit(href: string, ask: () => Promise<Verdict | 'no_such_attempt' | undefined>): Promise<Verdict>
}

/** Data that one attempt sends; all secrets in it are encrypted. */
export interface Payload {
  /** Absolute http(s) address. */
  url: string
  /** Address of the attempt's status; undefined if the payment goes elsewhere. */
  statusUrl: string | undefined
  /** Address of the bank's authentication before the payment; undefined if it is not needed. */
  mpiUrl: string | undefined
  /** Way of sending: a form post, which leaves the page, or a request. */
  isForm: boolean
  /** The configuration whose key encrypted the values; undefined for a key of the page. */
  keyOf: ServedConfig | undefined
  fields: readonly Pair[]
  files: readonly HTMLInputElement[]
}

/** States of a form's attempts, with their possible successors. */
export const NEXT: Readonly<Record<MondidoState, readonly MondidoState[]>> = {
  idle: ['before'],
  before: ['encrypting', 'fail', 'idle'],
  encrypting: ['mpi', 'sending', 'fail', 'idle'],
  mpi: ['encrypting', 'sending', 'fail', 'idle'],
  sending: ['encrypting', 'mpi', 'success', 'fail', 'idle'],
  success: ['idle'],
  fail: ['before', 'idle'],
}

/** Returns true if an attempt is running in this state. */
export const isBusy = (state: MondidoState): boolean => NEXT[state].includes('fail')
