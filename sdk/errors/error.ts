import type { MondidoError, MondidoState } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'
import { canHelpToRetry, categoryOf, type Fault, PAYER_TEXTS } from './faults.ts'

/** The service's error (specification: Errors). */
export interface ApiError {
  name: string
  code: number
  description: string
  /** What is wrong, for the integrator, where the service says it. */
  explain?: string
}

/** What every error of an attempt says about its circumstances. */
export interface Circumstances {
  attempt: string
  state: MondidoState
  text(key: MessageKey): string
}

type Particulars = Omit<MondidoError, 'description' | 'state' | 'attempt' | 'field'>

const createError = ({ attempt, state }: Circumstances, particulars: Particulars): MondidoError => ({
  description: particulars.message,
  state,
  attempt,
  ...particulars,
  ...(particulars.fields?.[0] && { field: particulars.fields[0].field }),
})

/** The field an error is about; none without a name. */
const blame = (field: string | undefined, code: string, message: string): Pick<MondidoError, 'fields'> =>
  field === undefined ? {} : { fields: [{ field, code, message }] }

/** A fault as the argument of `payment:fail`. */
export function errorOfFault(fault: Fault, circumstances: Circumstances): MondidoError {
  const { code } = fault
  const { error: name = code, problems, outcome = 'not_sent', status = 0, transaction } = fault.details
  const field = fault.details.field || blamedField(name)
  const text = circumstances.text(outcome === 'unknown' ? 'unknownOutcome' : PAYER_TEXTS[code] || 'notSent')
  const message = problems?.[0]?.message ?? `${text} ${transaction?.href || ''}`.trim()
  return createError(circumstances, {
    category: problems ? 'validation' : categoryOf(code),
    code,
    name,
    outcome,
    retryable: outcome === 'not_sent' && (!!problems || canHelpToRetry(code)),
    message,
    status,
    cause: fault,
    ...(transaction && { transaction }),
    ...(problems ? { fields: problems } : blame(field, code, message)),
  })
}

/** Refusals the payer can do something about: another card, a corrected field, or simply later. */
const PAYERS_MATTER = /^errors\.(card(_\w+)?|credit_card\w*|payment|(stored|supported)_card|mpi|unexpected)(\.|$)/

/** The service's refusal as the argument of `payment:fail`.
 * @param isKeyRight whether the page has the merchant's key of now: another page would not help */
export function errorOfRefusal(
  refusal: ApiError,
  status: number,
  circumstances: Circumstances,
  isKeyRight = false,
): MondidoError {
  const { name } = refusal
  const code = Number(refusal.code)
  const message =
    code === 197
      ? circumstances.text(isKeyRight ? 'notSent' : 'reload')
      : refusal.description || circumstances.text('rejected')
  return createError(circumstances, {
    category: 'api',
    code,
    name,
    outcome: 'rejected',
    retryable: PAYERS_MATTER.test(name),
    message,
    status,
    ...blame(blamedField(name), name, message),
  })
}

/** The parameter an API error is about: the middle of `errors.<parameter>.<what>` for what the payer fills in. */
function blamedField(name: string): string | undefined {
  if (name === 'errors.card.expired') return 'card_expiry'
  const [, field] = /^errors\.(card_(?:number|holder|cvv|expiry|type))\./.exec(name) || []
  return field
}
