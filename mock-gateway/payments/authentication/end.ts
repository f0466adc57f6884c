import { decideAfterAuthentication, findRefusal } from '../../acquirer/three-d-secure/verdict.ts'
import type { CardType } from '../../domain/card/card-types.ts'
import type { FinalAuthenticationResult } from '../../domain/card/three-d-secure.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { BankDecision } from '../../domain/order/decision.ts'
import type { NewSubscription } from '../../domain/subscription/subscription.ts'
import type { PaymentEvent } from '../../outbox/payment-events.ts'
import {
  changeOpenAuthentication,
  isFinallyAnswered,
  type UpdateCondition,
} from '../../storage/authentications.ts'
import { findOne, findRow } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { OpenWork, Work } from '../../work/work.ts'
import { type Charge, createCharge } from '../charge-by-answer.ts'
import { changeAndFinish } from '../finish.ts'
import { convertToDecline } from '../refusals.ts'
import { planSubscription } from '../subscribe.ts'
import { describeEndedAuthentication } from './begin.ts'

/**
 * Ends an authentication and continues the payment that waits for it, in one database transaction.
 * Of several simultaneous calls, one does so.
 * @returns undefined if it had already ended, or if the condition `only` is not met
 * @throws errors.transaction.locked (1531) if the payment changed at the same time; then nothing
 * has happened
 */
export const endAuthentication = (
  work: OpenWork,
  id: number,
  result: FinalAuthenticationResult,
  only?: UpdateCondition,
): Promise<AuthenticationRow | undefined> =>
  work.write((steps) => endWithin(steps, id, result, only))

async function endWithin(
  work: Work,
  id: number,
  result: FinalAuthenticationResult,
  only?: UpdateCondition,
  because: readonly PaymentEvent[] = [],
) {
  const ended = { status: 'done', result, updated_at: work.now } as const
  const row = await changeOpenAuthentication(work.queries, id, ended, only)
  if (row && row.transaction_id !== null) await continuePayment(work, row, result, because)
  return row
}

/** Returns the current state of an authentication: an expired one has ended. */
export async function findCurrentAuthentication(
  work: OpenWork,
  row: AuthenticationRow,
): Promise<AuthenticationRow> {
  if (row.status === 'done' || row.expires_at > work.now) return row
  return (
    (await endAuthentication(work, row.id, 'timeout')) ?? {
      ...row,
      status: 'done',
      result: 'timeout',
    }
  )
}

/** Finds the authentication that a payment waits for. */
export const findOpenAuthentication = (queries: Queries, transaction_id: number) =>
  findOne(queries, 'authentications', { transaction_id, status: 'open' }, { newestFirst: true })

/**
 * Ends the authentication that a payment waits for, because the payer cancels; does nothing if
 * there is none.
 */
export async function cancelAuthentication(work: OpenWork, transactionId: number): Promise<void> {
  const open = await findOpenAuthentication(work.queries, transactionId)
  if (open) await endAuthentication(work, open.id, 'cancel')
}

/** Returns true if a payment waits at the bank, and the bank has not answered. */
export async function canReplaceAuthentication(
  { queries, now }: Work,
  transactionId: number,
): Promise<boolean> {
  const open = await findOpenAuthentication(queries, transactionId)
  return open !== undefined && (!isFinallyAnswered(open) || (open.answer_at ?? 0) > now)
}

/**
 * Fails the payment that waits at the bank, because its payer starts another one. An answer of the
 * bank that has arrived still counts.
 * @returns whether the payment was failed
 */
export async function replaceOpenAuthentication(
  work: Work,
  transactionId: number,
): Promise<boolean> {
  const open = await findOpenAuthentication(work.queries, transactionId)
  const only = { unansweredAt: work.now }
  return (
    open !== undefined &&
    (await endWithin(work, open.id, 'cancel', only, [{ event: 'gave_way' }])) !== undefined
  )
}

/** Runs `replaceOpenAuthentication` in a database transaction of its own. */
export const leaveBank = ({ write }: OpenWork, transactionId: number): Promise<boolean> =>
  write((work) => replaceOpenAuthentication(work, transactionId))

/**
 * Applies the bank's stored answer: the payer's card data are not needed any more.
 * @param because the event that led to it
 */
async function continuePayment(
  work: Work,
  row: AuthenticationRow,
  result: FinalAuthenticationResult,
  because: readonly PaymentEvent[],
): Promise<void> {
  const { queries, merchant } = work
  const transaction = await findRow(
    queries,
    'transactions',
    row.merchant_id,
    row.transaction_id ?? undefined,
  )
  if (transaction?.status !== '3ds pending' || transaction.amount === null || row.word === null)
    return
  const unavailable = merchant.settings.three_d_secure_unavailable
  const { answer, ordered } = await replan(
    work,
    transaction,
    decideAfterAuthentication(result, row.word, unavailable),
  )
  const charged = createCharge(work, answer, {
    amount: transaction.amount,
    authorize: transaction.authorize,
    event: 'charged',
    card: pickChargedCard(transaction),
    storingFails: row.storing_fails,
    authentication: describeEndedAuthentication(row, result, unavailable),
  })
  await changeAndFinish(work, transaction, { charged, ordered, before: because, form: row.form })
}

/** If the ordered plan was deleted meanwhile, the payer is not charged. */
async function replan(
  work: Work,
  transaction: TransactionRow,
  answer: BankDecision,
): Promise<{ answer: BankDecision; ordered: NewSubscription | undefined }> {
  if (answer.kind !== 'approved') return { answer, ordered: undefined }
  try {
    return { answer, ordered: await planSubscription(work, transaction) }
  } catch (error) {
    return { answer: convertToDecline(error), ordered: undefined }
  }
}

/** The card that waits, as the transaction shows it. */
const pickChargedCard = ({
  card_holder,
  card_number,
  card_expiry,
  card_type,
}: TransactionRow): Charge['card'] => ({
  kind: 'card',
  brand: card_type as CardType,
  holder: card_holder ?? '',
  maskedNumber: card_number ?? '',
  expiry: card_expiry ?? '',
})

/**
 * Returns the result of an authentication for the payer. @returns why it cannot be paid; undefined
 * if it can
 */
export function refusalOfAuthentication(
  { result }: AuthenticationRow,
  { merchant }: Pick<Work, 'merchant'>,
): GatewayError | undefined {
  const refusal =
    result === null ? undefined : findRefusal(result, merchant.settings.three_d_secure_unavailable)
  return refusal && new GatewayError(refusal.error, { explain: refusal.explain })
}
