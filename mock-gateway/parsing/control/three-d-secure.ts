import { readAsked } from '../../acquirer/three-d-secure/plan.ts'
import { QUESTION_KINDS } from '../../domain/card/bank-questions.ts'
import type { AuthenticationInstructions } from '../../domain/card/three-d-secure.ts'
import { type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId, wholeNumber } from './read.ts'

/** Parameters of the next authentication, like `service_instructions.three_d_secure`. */
const NEXT_AUTHENTICATION_FIELDS = [
  'flow',
  'result',
  'delay_seconds',
  'version',
  'question',
] as const

/** @throws errors.request.bad_format */
export function readNextAuthentication(parameters: Parameters): {
  merchantId: number
  asked: AuthenticationInstructions
} {
  const sent = pickOnly(parameters, NEXT_AUTHENTICATION_FIELDS)
  const merchantId = readMerchantId(parameters)
  if (merchantId === undefined)
    throw badFormat('merchant_id is missing. Send the merchant of the next authentication.')
  const asked = readAsked(sent)
  if (asked && Object.keys(sent).length === Object.keys(asked).length) return { merchantId, asked }
  throw badFormat(
    'flow must be frictionless, challenge or none. result must be Y, N, A, U, R, error, timeout, cancel, abandon, replay or tamper. ' +
      `delay_seconds must be 0 to 900, version 1.0.2, 2.1.0 or 2.2.0, and question ${QUESTION_KINDS.join(', ')}. Send at least one of them.`,
  )
}

/** Parameters of a payer's answer at the bank. */
const BANK_ANSWER_FIELDS = ['answer', 'transaction_id', 'payment_ref'] as const

/** An answer and the payment it is for; default: the latest payment. */
export interface BankAnswer {
  readonly merchantId: number
  readonly given: readonly string[]
  readonly transaction_id?: number
  readonly payment_ref?: string
}

/** @throws errors.request.bad_format */
export function readBankAnswer(parameters: Parameters): BankAnswer {
  const sent = pickOnly(parameters, BANK_ANSWER_FIELDS)
  const merchantId = readMerchantId(parameters)
  if (merchantId === undefined)
    throw badFormat('merchant_id is missing. Send the merchant of the payer who answers.')
  const answer = text(sent, 'answer')
  if (answer === undefined)
    throw badFormat(
      'answer is missing. Send the answer of the payer, such as approve, or several answers as cafe,train.',
    )
  const transaction_id = wholeNumber(sent, 'transaction_id', {
    least: 1,
    most: Number.MAX_SAFE_INTEGER,
  })
  const payment_ref = text(sent, 'payment_ref')
  return {
    merchantId,
    given: answer.split(',').map((one) => one.trim()),
    ...(transaction_id !== undefined && { transaction_id }),
    ...(payment_ref !== undefined && { payment_ref }),
  }
}
