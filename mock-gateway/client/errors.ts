import type { ApiError } from '../contract/wire.ts'

/**
 * The base class of every error that a call throws.
 * @example
 * import { createClient, MondidoError } from 'mondido-gateway/client'
 *
 * const client = createClient({ merchantId: 1, password: 'wrong' })
 * try {
 *   await client.listTransactions().page()
 * } catch (error) {
 *   if (error instanceof MondidoError) console.log(error.message)
 * }
 */
export class MondidoError extends Error {
  override readonly name: string = 'MondidoError'
}

/**
 * The call got no answer: the connection failed, or nothing listens at the address. The gateway may
 * have done the work.
 * @example
 * import { createClient, NoAnswerError } from 'mondido-gateway/client'
 *
 * const client = createClient({ url: 'http://localhost:9', merchantId: 1, password: 'custom00', retries: 0 })
 * const error = await client.listPlans().page().catch((reason) => reason)
 * console.log(error instanceof NoAnswerError) // true
 */
export class NoAnswerError extends MondidoError {
  override readonly name: string = 'NoAnswerError'
}

/**
 * The call got no answer within its time limit. The gateway may have done the work.
 * @example
 * import { createClient, TimeoutError } from 'mondido-gateway/client'
 *
 * const fetch = () => new Promise(() => {})
 * const client = createClient({ merchantId: 1, password: 'custom00', fetch, timeout: 10, retries: 0 })
 * const error = await client.listPlans().page().catch((reason) => reason)
 * console.log(error instanceof TimeoutError) // true
 */
export class TimeoutError extends NoAnswerError {
  override readonly name = 'TimeoutError'
}

/** Additional data of an error response. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number
  /** The cause and the fix, for developers: the header `Mondido-Explain`. */
  readonly explanation: string | undefined
  /** Id of the request in the log and in the console. */
  readonly requestId: string | undefined
}

/**
 * The gateway rejected a call, or the bank declined the payment.
 * @example
 * import { createClient, RefusedError } from 'mondido-gateway/client'
 *
 * const client = createClient({ merchantId: 1, password: 'custom00', secret: 'sandbox-secret' })
 * const order = { amount: 'ten', currency: 'sek', payment_ref: 'A1', test: true }
 * const error = await client.createTransaction(order).catch((reason) => reason)
 * if (error instanceof RefusedError) console.log(error.errorName, error.explanation)
 */
export class RefusedError extends MondidoError implements Refusal {
  override readonly name: string = 'RefusedError'
  /** For example `errors.payment.declined`. */
  readonly errorName: string
  readonly code: number
  /** A sentence for the payer, in the language of the call. */
  readonly description: string
  readonly status: number
  readonly explanation: string | undefined
  readonly requestId: string | undefined

  constructor(error: ApiError, { status, explanation, requestId }: Refusal) {
    super(
      [`${error.name} (${error.code}): ${error.description}`, explanation]
        .filter(Boolean)
        .join(' | '),
    )
    this.errorName = error.name
    this.code = error.code
    this.description = error.description
    this.status = status
    this.explanation = explanation
    this.requestId = requestId
  }
}

/**
 * The merchant's password, hash or key is wrong, or the account is locked.
 * @example
 * import { createClient, LoginError } from 'mondido-gateway/client'
 *
 * const client = createClient({ merchantId: 1, password: 'wrong' })
 * const error = await client.listPlans().page().catch((reason) => reason)
 * console.log(error instanceof LoginError) // true
 */
export class LoginError extends RefusedError {
  override readonly name = 'LoginError'
}

/**
 * The merchant has no object with this id.
 * @example
 * import { createClient, NotFoundError } from 'mondido-gateway/client'
 *
 * const client = createClient({ merchantId: 1, password: 'custom00' })
 * const error = await client.getTransaction(99999).catch((reason) => reason)
 * console.log(error instanceof NotFoundError) // true
 */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError'
}

/**
 * The bank declined the payment, or the payer cancelled it. Another attempt can succeed.
 * @example
 * import { PaymentError } from 'mondido-gateway/client'
 * import { startGateway } from 'mondido-gateway/testing'
 *
 * const gateway = await startGateway()
 * const shop = await gateway.shop()
 * const error = await shop.pay({ card_cvv: '201' }).catch((reason) => reason)
 * console.log(error instanceof PaymentError) // true
 * await gateway.close()
 */
export class PaymentError extends RefusedError {
  override readonly name = 'PaymentError'
}

/**
 * The gateway cannot answer now: status 503. The same call can succeed in a moment.
 * @example
 * import { createClient, UnavailableError } from 'mondido-gateway/client'
 *
 * const client = createClient({ merchantId: 1, password: 'custom00' })
 * await client.listPlans().page().catch((error) => {
 *   if (error instanceof UnavailableError) console.log('Try again in a moment')
 * })
 */
export class UnavailableError extends RefusedError {
  override readonly name = 'UnavailableError'
}

/** Classes of errors; the first that fits is used. */
const CLASSES: readonly (readonly [
  fits: (error: ApiError, status: number) => boolean,
  type: typeof RefusedError,
])[] = [
  [(_error, status) => status === 503, UnavailableError],
  [(_error, status) => status === 404, NotFoundError],
  [({ code }, status) => status === 401 || status === 403 || code === 107, LoginError],
  [({ name }) => name.startsWith('errors.payment.'), PaymentError],
]

/** Creates the error of an error answer. */
export function refusedError(error: ApiError, refusal: Refusal): RefusedError {
  const [, type] = CLASSES.find(([fits]) => fits(error, refusal.status)) ?? [
    undefined,
    RefusedError,
  ]
  return new type(error, refusal)
}
