import type { ApiError } from '../contract/wire.ts'

/** Everything that a call may end with, other than its answer. */
export class MondidoError extends Error {
  override readonly name: string = 'MondidoError'
}

/** No answer came: the connection broke, or nobody listens. What was asked may have been done. */
export class NoAnswerError extends MondidoError {
  override readonly name: string = 'NoAnswerError'
}

/** No answer came in the time there was. What was asked may have been done. */
export class TimeoutError extends NoAnswerError {
  override readonly name = 'TimeoutError'
}

/** What a refusal says beside the error itself. */
export interface Refusal {
  /** HTTP's. */
  readonly status: number
  /** What was wrong and what would be right, for the developer (`Mondido-Explain`). */
  readonly explanation: string | undefined
  /** By which the log and the console find the request. */
  readonly requestId: string | undefined
}

/** The gateway refused a call, with an error of its catalogue. */
export class RefusedError extends MondidoError implements Refusal {
  override readonly name: string = 'RefusedError'
  /** Such as `errors.payment.declined`. */
  readonly errorName: string
  readonly code: number
  /** For the payer, in the language asked for. */
  readonly description: string
  readonly status: number
  readonly explanation: string | undefined
  readonly requestId: string | undefined

  constructor(error: ApiError, { status, explanation, requestId }: Refusal) {
    super([`${error.name} (${error.code}): ${error.description}`, explanation].filter(Boolean).join(' | '))
    this.errorName = error.name
    this.code = error.code
    this.description = error.description
    this.status = status
    this.explanation = explanation
    this.requestId = requestId
  }
}

/** Password, hash or key of who called are wrong, or the account is locked. */
export class LoginError extends RefusedError {
  override readonly name = 'LoginError'
}

/** There is nothing of this id. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError'
}

/** The bank refused the payment, or the payer gave it up; a new try may go well. */
export class PaymentError extends RefusedError {
  override readonly name = 'PaymentError'
}

/** The gateway cannot do its work now; the same call may go well in a moment. */
export class UnavailableError extends RefusedError {
  override readonly name = 'UnavailableError'
}

/** Which class an error is of: the first that fits. */
const CLASSES: readonly (readonly [fits: (error: ApiError, status: number) => boolean, type: typeof RefusedError])[] = [
  [(_error, status) => status === 503, UnavailableError],
  [(_error, status) => status === 404, NotFoundError],
  [({ code }, status) => status === 401 || status === 403 || code === 107, LoginError],
  [({ name }) => name.startsWith('errors.payment.'), PaymentError],
]

/** The error of a refusal. */
export function refusedError(error: ApiError, refusal: Refusal): RefusedError {
  const [, type] = CLASSES.find(([fits]) => fits(error, refusal.status)) ?? [undefined, RefusedError]
  return new type(error, refusal)
}
