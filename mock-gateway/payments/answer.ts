import { decidePayerAnswer } from '../acquirer/authorize.ts'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { type Hundredths, NOTHING, requirePayableAmount } from '../domain/money/money.ts'
import type { BankDecision } from '../domain/order/decision.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { STATES } from '../domain/order/states.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { findClaim, updateTransaction } from '../storage/transactions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { createCharge } from './charge-by-answer.ts'
import { changeAndFinish } from './finish.ts'
import { checkShown, countTry, isAwaitingPayer } from './on-page.ts'
import { checkPaymentLink } from './payment-links.ts'
import { convertToDecline, createNotFoundError, createRefTakenError } from './refusals.ts'
import type { PaymentResult } from './result.ts'

/** A payer's answer in an app or at a bank. */
export interface PayerAnswer {
  readonly id: number
  /** One of the answers that `PAYMENT_METHODS` has for the method of the payment. */
  readonly answer: string | undefined
  /** `getShownVersion` of the page that the payer answers on; undefined if there was no page. */
  readonly shown?: string | undefined
  /** The payer sent it from a page. */
  readonly form?: true
}

/**
 * Accepts the payer's answer to a payment that waits for it. Of several simultaneous answers, one
 * counts.
 * @throws errors.transaction.not_found (128), errors.transaction.processed (153) and
 * errors.transaction.locked (1531) if the payment no longer waits, errors.amount.mismatch (203) if
 * the payer saw something else, errors.request.bad_format (253) for an answer that the method does
 * not have, errors.payment_ref.processed (146), and the errors of `checkPaymentLink`
 */
export async function answerPayment(work: OpenWork, given: PayerAnswer): Promise<PaymentResult> {
  try {
    return await work.write((steps) => write(steps, given))
  } catch (error) {
    throw isUniqueViolation(error) ? createRefTakenError(error) : error
  }
}

async function write(
  work: Work,
  { id, answer = '', shown, form }: PayerAnswer,
): Promise<PaymentResult> {
  const { queries, merchant, randomBytes } = work
  const transaction = await findRow(queries, 'transactions', merchant.id, id)
  if (!transaction) throw createNotFoundError()
  if (!isAwaitingPayer(transaction)) throw createNotAwaiting(transaction)
  checkShown(transaction, shown)
  const decision = decidePayerAnswer(transaction.payment_method, answer, randomBytes)
  if (!decision) throw badFormat('answer must be one of the answers on the page.')
  const { word, amount } = withAmount(decision, transaction)
  if (
    word.kind === 'approved' &&
    (await findClaim(queries, merchant.id, transaction.payment_ref, transaction.id))
  )
    throw createRefTakenError()
  if (word.kind === 'approved') await checkPaymentLink(work, transaction, true)
  const charged = createCharge(work, word, {
    amount,
    authorize: transaction.authorize,
    event: 'charged',
    columns: { transaction_type: PAYMENT_METHODS[transaction.payment_method].transactionType },
  })
  const columns = countTry(charged.columns, transaction.tries, merchant.settings)
  return changeAndFinish(work, transaction, { charged: { ...charged, columns }, form })
}

/**
 * Completing the payment is when a badly formatted amount fails it (specification: amount rules).
 */
function withAmount(
  decision: BankDecision,
  { amount_text, currency }: TransactionRow,
): { word: BankDecision; amount: Hundredths } {
  try {
    return {
      word: decision,
      amount: decision.kind === 'approved' ? requirePayableAmount(amount_text, currency) : NOTHING,
    }
  } catch (error) {
    return { word: convertToDecline(error), amount: NOTHING }
  }
}

const createNotAwaiting = ({ status }: TransactionRow) =>
  new GatewayError(STATES[status].refusal, {
    explain: `The status of the transaction is ${status}, so no answer of a payer is pending.`,
  })

/**
 * The payer chooses another way to pay, so the payment no longer waits for an answer. If the
 * payment has changed meanwhile, it stays as it is.
 */
export const stopAwaitingPayer = (
  { write }: OpenWork,
  transaction: TransactionRow,
): Promise<unknown> =>
  write(({ queries }) => updateTransaction(queries, transaction, { answer_by: null }))
