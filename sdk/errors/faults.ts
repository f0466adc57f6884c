import { type Facts, formatShort, tell } from '../advice/tell.ts'
import type { AdviceCode } from '../shared/advice-texts.ts'
import type { FaultCode, FieldProblem, MondidoError, Outcome, Transaction } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'

export interface FaultDetails {
  /** A more specific code for the integrator. */
  why?: Why
  /** Values in the explanation of the code. */
  facts?: Facts | undefined
  /** Parameter with the problem. */
  field?: string
  /** Problems found by a check; the first one is reported. */
  problems?: FieldProblem[]
  /** Outcome of the attempt; default: `not_sent`. */
  outcome?: Outcome
  /** HTTP status, if there was an answer. */
  status?: number
  /** The service's error name. */
  error?: string
  /** The pending transaction. */
  transaction?: Transaction
  cause?: unknown
}

/** The third word of specific codes. */
type Why = AdviceCode extends infer Code
  ? Code extends `${string}.${string}.${infer Word}`
    ? Word
    : never
  : never

/** A failure of the library; `message` is for the integrator, not for the payer. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly details: FaultDetails

  constructor(code: FaultCode, details: FaultDetails = {}) {
    super(formatShort(getAdviceCode({ code, details }), details.facts))
    this.code = code
    this.details = details
  }
}

/** Returns the code of a fault's explanation. */
const getAdviceCode = ({ code, details: { why } }: Pick<Fault, 'code' | 'details'>): AdviceCode =>
  (why ? `${code}.${why}` : code) as AdviceCode

/** Converts a thrown value to a fault; other errors become `internal`, with the given outcome. */
export const asFault = (thrown: unknown, outcome: Outcome = 'not_sent'): Fault =>
  thrown instanceof Fault ? thrown : new Fault('internal', { cause: thrown, outcome })

/** Reports a fault to the integrator. */
export const reportFault = (fault: Fault): void =>
  tell('error', getAdviceCode(fault), fault.details.facts, fault.details.cause)

/** Returns the first word of a code, or its more general category. */
export const getCategory = (code: FaultCode): MondidoError['category'] => {
  const [kind] = code.split('.')
  if (kind === 'field') return 'validation'
  return /form|config/.test(`${kind}`) ? 'integration' : (kind as MondidoError['category'])
}

/** Returns true if a retry can help, once it is certain that nothing was sent. */
export const canHelpToRetry = (code: FaultCode): boolean =>
  /^(mpi\.|(integration\.before|field\.too_long|network\.(offline|blocked))$)/.test(code)

/** Texts for the payer unless the outcome is unknown; default `notSent`: nothing was charged. */
export const PAYER_TEXTS: Partial<Record<FaultCode, MessageKey>> = {
  'field.too_long': 'tooLong',
  'api.pending': 'pending',
  'network.offline': 'offline',
  'mpi.closed': 'cancelled',
  'mpi.failed': 'notConfirmed',
}
