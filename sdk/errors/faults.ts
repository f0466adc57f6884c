import type { AdviceCode } from '../../mock-gateway/contract/library-advice.ts'
import { type Facts, inShort, tell } from '../advice/tell.ts'
import type { FieldProblem, MondidoError, Outcome, Transaction } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'

/** Codes of the library's own errors. The service's errors keep their own code. */
export type FaultCode =
  | `integration.${'no_jquery' | 'jquery_too_old' | 'not_jquery' | 'before' | 'payment_method'}`
  | `form.${'not_a_form' | 'no_encrypted_fields' | 'unnamed_field' | 'unreadable_field' | 'clear_card_data' | 'duplicate_field' | 'file_input'}`
  | `config.public_key_${'missing' | 'invalid' | 'weak'}`
  | `config.${'option_invalid' | 'insecure_context' | 'merchant_missing' | 'merchant_mismatch' | 'url_invalid'}`
  | `validation.${'native' | 'card_number' | 'expiry' | 'cvv' | 'holder'}`
  | 'field.too_long'
  | `crypto.${'unavailable' | 'failed'}`
  | `network.${'offline' | 'csp' | 'blocked' | 'timeout' | 'aborted' | 'unreachable'}`
  | `api.${'malformed' | 'pending'}`
  | `mpi.${'blocked' | 'closed' | 'failed' | 'timeout' | 'unreachable' | 'csp' | 'protocol'}`
  | 'internal'

export interface FaultDetails {
  /** One more word for the integrator, where a code stands for several mistakes. */
  why?: Why
  /** What the explanation of the code names. */
  facts?: Facts | undefined
  /** Parameter the fault is about. */
  field?: string
  /** What a check before paying found; the first speaks. */
  problems?: FieldProblem[]
  /** What the attempt left behind; `not_sent` unless told. */
  outcome?: Outcome
  /** HTTP status, when there was an answer. */
  status?: number
  /** The service's name for what went wrong. */
  error?: string
  /** The transaction that waits. */
  transaction?: Transaction
  cause?: unknown
}

/** The third word of the codes that have one. */
type Why = AdviceCode extends infer Code
  ? Code extends `${string}.${string}.${infer Word}`
    ? Word
    : never
  : never

/**
 * A failure of the library, thrown or handed on; `message` speaks to the integrator, not to the
 * payer.
 */
export class Fault extends Error {
  readonly code: FaultCode
  readonly details: FaultDetails

  /** Under which code it is explained. */
  readonly told: AdviceCode

  constructor(code: FaultCode, details: FaultDetails = {}) {
    const told = (details.why ? `${code}.${details.why}` : code) as AdviceCode
    super(inShort(told, details.facts))
    this.told = told
    this.code = code
    this.details = details
  }
}

/** Any thrown value as a fault; what is not ours is `internal`, with the given outcome. */
export const asFault = (thrown: unknown, outcome: Outcome = 'not_sent'): Fault =>
  thrown instanceof Fault ? thrown : new Fault('internal', { cause: thrown, outcome })

/** Tells the integrator of a fault. */
export const tellOf = ({ told, details }: Fault): void =>
  tell('error', told, details.facts, details.cause)

/** Kinds of mistakes by the first word of their code, where the two differ. */
const CATEGORIES: ReadonlyMap<string, MondidoError['category']> = new Map([
  ['form', 'integration'],
  ['config', 'integration'],
  ['field', 'validation'],
])

export const categoryOf = (code: FaultCode): MondidoError['category'] => {
  const [kind = ''] = code.split('.')
  return CATEGORIES.get(kind) || (kind as MondidoError['category'])
}

/** Faults after which trying again can help, once it is certain that nothing was sent. */
export const canHelpToRetry = (code: FaultCode): boolean =>
  /^(mpi\.|(integration\.before|field\.too_long|network\.(offline|blocked))$)/.test(code)

/**
 * What the payer is told unless the outcome is unknown; `notSent` for all others: nothing was
 * charged.
 */
export const PAYER_TEXTS: Partial<Record<FaultCode, MessageKey>> = {
  'field.too_long': 'tooLong',
  'api.pending': 'pending',
  'network.offline': 'offline',
  'mpi.closed': 'cancelled',
  'mpi.failed': 'notConfirmed',
}
