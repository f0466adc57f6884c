import type { ApiError } from '../attempt/verdict.ts'
import { textOf } from '../form/mounted.ts'
import type { Attempt } from '../state.ts'
import type { FieldProblem, MondidoError } from '../types.ts'
import { canHelpToRetry, categoryOf, type Fault, PAYER_TEXTS } from './faults.ts'

type Particulars = Omit<MondidoError, 'description' | 'state' | 'attempt' | 'field' | 'fields'>

/** @param fields what it is about */
const createError = (
  { id, mounted }: Attempt,
  fields: FieldProblem[] | undefined,
  particulars: Particulars,
): MondidoError => ({
  description: particulars.message,
  state: mounted.state,
  attempt: id,
  ...particulars,
  ...(fields?.[0] && { field: fields[0].field, fields }),
})

/** The field an error is about; none without a name. */
const blame = (
  field: string | undefined,
  code: string,
  message: string,
): FieldProblem[] | undefined => (field ? [{ field, code, message }] : undefined)

/** A fault as the argument of `payment:fail`. */
export function errorOfFault(fault: Fault, attempt: Attempt): MondidoError {
  const { code } = fault
  const {
    error: name = code,
    problems,
    outcome = 'not_sent',
    status = 0,
    transaction,
  } = fault.details
  const field = fault.details.field || blamedField(name)
  const text = textOf(
    attempt,
    outcome === 'unknown' ? 'unknownOutcome' : PAYER_TEXTS[code] || 'notSent',
  )
  const message = problems?.[0]?.message ?? `${text} ${transaction?.href || ''}`.trim()
  return createError(attempt, problems || blame(field, code, message), {
    category: problems ? 'validation' : categoryOf(code),
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

/** Refusals the payer can do something about: another card, a corrected field, or simply later. */
const PAYERS_MATTER =
  /^errors\.(card(_\w+)?|credit_card\w*|payment|(stored|supported)_card|mpi|unexpected)(\.|$)/

/**
 * The service's refusal as the argument of `payment:fail`. Where the page has the merchant's key of
 * now, another page would not help.
 */
export function errorOfRefusal(refusal: ApiError, status: number, attempt: Attempt): MondidoError {
  const { name } = refusal
  const code = Number(refusal.code)
  const message =
    code === 197
      ? textOf(attempt, attempt.isKeyRight ? 'notSent' : 'reload')
      : refusal.description || textOf(attempt, 'rejected')
  return createError(attempt, blame(blamedField(name), name, message), {
    category: 'api',
    code,
    name,
    outcome: 'rejected',
    retryable: PAYERS_MATTER.test(name),
    message,
    status,
  })
}

/**
 * The parameter an API error is about: the middle of `errors.<parameter>.<what>` for what the payer
 * fills in.
 */
function blamedField(name: string): string | undefined {
  if (name === 'errors.card.expired') return 'card_expiry'
  const [, field] = /^errors\.(card_(?:number|holder|cvv|expiry|type))\./.exec(name) || []
  return field
}
