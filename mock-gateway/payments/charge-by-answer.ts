import type { Authorization } from '../acquirer/authorization.ts'
import type { ChargedCard } from '../cards/payment-card.ts'
import { getEntryByKey } from '../domain/errors/errors.ts'
import type { Hundredths } from '../domain/money/money.ts'
import type { LoggedColumns, PaymentEvent } from '../outbox/payment-events.ts'
import { LOGGED_COLUMNS, type TransactionChanges } from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'
import { type Authentication, addAuthentication } from './authentication/begin.ts'
import type { Instrument } from './instrument.ts'

/** Result of a charge, before anything of the transaction is written. */
export interface Charge {
  readonly answer: Authorization
  /** Name of the charge in the log. */
  readonly event: Instrument['event']
  /** New values of the transaction. */
  readonly columns: TransactionChanges
  /** Set when a card pays. */
  readonly card?: ChargedCard | undefined
  /** True when the card pays and yet cannot be stored. */
  readonly storingFails?: boolean
  /** Events found before the bank was request. */
  readonly screened?: readonly PaymentEvent[]
  /** How the payer is authenticated, or was; undefined when not at all. */
  readonly authentication?: Authentication | undefined
}

/** Subject of an answer, with the columns that do not depend on it. */
type ChargeRequest = Omit<Charge, 'answer' | 'columns'> & {
  readonly columns?: TransactionChanges
  readonly amount: Hundredths
  /** True reserves the amount, false takes it. */
  readonly authorize: boolean
}

/** Builds the charge of an answer: the bank's, a stored one, a credit check's or the payer's. */
export const createCharge = (
  { now }: Work,
  answer: Authorization,
  request: ChargeRequest,
): Charge => ({
  ...request,
  answer,
  columns: addAuthentication(
    { ...request.columns, ...createColumns(answer, request, now) },
    request.authentication,
  ),
})

/**
 * Builds the log events of a charge.
 * @param form true if the payer paid on the payment page or with a form
 */
export function chargeEvents(charge: Charge, form?: boolean): readonly PaymentEvent[] {
  const { answer, event, columns, authentication } = charge
  const { status = 'pending' } = columns
  const isRefused = answer.kind === 'declined' || answer.kind === 'failed'
  const told: PaymentEvent =
    answer.kind === 'challenge'
      ? { event: 'challenged', status }
      : {
          event,
          status,
          ...(form ? { form } : {}),
          ...pickLogged(columns),
          ...(isRefused ? { error: getEntryByKey(answer.error).name } : {}),
        }
  return [...(charge.screened ?? []), ...(authentication?.events ?? []), told]
}

/** Returns the columns with a value that the log repeats. */
const pickLogged = (columns: TransactionChanges): LoggedColumns =>
  Object.fromEntries(
    LOGGED_COLUMNS.flatMap((name) => (columns[name] ? [[name, columns[name]]] : [])),
  )

const NO_ERROR = { status_details: null, error_name: null, error_message: null } as const

/** The payment no longer waits for the payer's answer elsewhere. */
const ANSWERED = { answer_by: null } as const

function createColumns(
  answer: Authorization,
  request: ChargeRequest,
  now: number,
): TransactionChanges {
  const columns = { ...NO_ERROR, updated_at: now }
  switch (answer.kind) {
    case 'pending':
      return { ...columns, status: 'pending', payment_response: null }
    case 'challenge':
      return { ...columns, ...ANSWERED, status: '3ds pending', payment_response: null }
    case 'approved': {
      const { providerRef: provider_ref, authCode: auth_code } = answer
      return {
        ...columns,
        ...ANSWERED,
        status: request.authorize ? 'authorized' : 'approved',
        amount: request.amount,
        org_auth_amount: request.amount,
        provider_ref,
        processed_at: now,
        payment_response: buildResponse(request, { result: 'approved', auth_code, provider_ref }),
      }
    }
    case 'declined':
    case 'failed': {
      const error = getEntryByKey(answer.error).name
      return {
        ...columns,
        ...ANSWERED,
        status: answer.kind,
        status_details: error,
        error_name: answer.error,
        error_message: answer.message ?? null,
        payment_response: buildResponse(request, { result: answer.kind, error }),
      }
    }
  }
}

/** Builds the answer as the transaction shows it. */
const buildResponse = (
  { event }: ChargeRequest,
  answer: { readonly result: string; readonly [fact: string]: string },
) => (event === 'credit_checked' ? { ...answer, credit_check: answer.result } : answer)
