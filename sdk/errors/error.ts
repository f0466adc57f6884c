import type { ApiError } from '../attempt/verdict.ts'
import { getText } from '../form/mounted.ts'
import type { Attempt } from '../state.ts'
import type { FieldProblem, MondidoError } from '../types.ts'
import { canHelpToRetry, type Fault, getCategory, PAYER_TEXTS } from './faults.ts'

type ErrorDetails = Omit<MondidoError, 'description' | 'state' | 'attempt' | 'field' | 'fields'>

/** @param fields the fields with the problem */
const createError = (
  { id, mounted }: Attempt,
  fields: FieldProblem[] | undefined,
  particulars: ErrorDetails,
): MondidoError => ({
  description: particulars.message,
  state: mounted.state,
  attempt: id,
  ...particulars,
  ...(fields?.[0] && { field: fields[0].field, fields }),
})

/** Returns the field of an error; none without a name. */
const listProblems = (
  field: string | undefined,
  code: string,
  message: string,
): FieldProblem[] | undefined => (field ? [{ field, code, message }] : undefined)

/** Converts a fault to the argument of `payment:fail`. */
export function createFaultError(fault: Fault, attempt: Attempt): MondidoError {
  const { code } = fault
  const {
    error: name = code,
    problems,
    outcome = 'not_sent',
    status = 0,
    transaction,
  } = fault.details
  const field = fault.details.field || findBlamedField(name)
  const text = getText(
    attempt,
    outcome === 'unknown' ? 'unknownOutcome' : PAYER_TEXTS[code] || 'notSent',
  )
  const message = problems?.[0]?.message ?? `${text} ${transaction?.href || ''}`.trim()
  return createError(attempt, problems || listProblems(field, code, message), {
    category: problems ? 'validation' : getCategory(code),
    code,
    name,
    outcome,
    retryable: outcome === 'not_sent' && (!!problems || canHelpToRetry(code)),
    message,
    status,
    cause: fault,
    ...(transaction && { transaction }),
  })
}

/** Rejections that the payer can fix: with another card, a corrected field, or later. */
const PAYERS_MATTER =
  /^errors\.(card(_\w+)?|credit_card\w*|payment|(stored|supported)_card|mpi|unexpected)(\.|$)/

/**
 * Converts the service's rejection to the argument of `payment:fail`. If the page has the
 * merchant's current key, reloading it does not help.
 */
export function createRefusalError(
  refusal: ApiError,
  status: number,
  attempt: Attempt,
): MondidoError {
  const { name } = refusal
  const code = Number(refusal.code)
  const message =
    code === 197
      ? getText(attempt, attempt.isKeyRight ? 'notSent' : 'reload')
      : refusal.description || getText(attempt, 'rejected')
  return createError(attempt, listProblems(findBlamedField(name), name, message), {
    category: 'api',
    code,
    name,
    outcome: 'rejected',
    retryable: PAYERS_MATTER.test(name),
    message,
    status,
  })
}

/** Returns the payer's field in the error name `errors.<parameter>.<what>`. */
function findBlamedField(name: string): string | undefined {
  if (name === 'errors.card.expired') return 'card_expiry'
  const [, field] = /^errors\.(card_(?:number|holder|cvv|expiry|type))\./.exec(name) || []
  return field
}
