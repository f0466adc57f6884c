import type { Authorization } from '../acquirer/authorization.ts'
import { entryByKey } from '../domain/errors/errors.ts'
import type { Hundredths } from '../domain/money/money.ts'
import type { TransactionChanges } from '../storage/tables/transactions.ts'
import type { Instrument } from './instrument.ts'

/** What an answer is about. */
export interface Charged {
  readonly amount: Hundredths
  /** True reserves the amount, false takes it. */
  readonly authorize: boolean
  readonly event: Instrument['event']
}

const NO_ERROR = { status_details: null, error_name: null, error_message: null } as const

/** The payer is not asked elsewhere any more. */
const ANSWERED = { answer_by: null } as const

/**
 * What an answer makes of a transaction: the one of now, or the bank's word that was kept until the payer had answered.
 * @param now epoch milliseconds
 */
export function columnsBy(answer: Authorization, charged: Charged, now: number): TransactionChanges {
  switch (answer.kind) {
    case 'approved':
      return {
        ...NO_ERROR,
        ...ANSWERED,
        status: charged.authorize ? 'authorized' : 'approved',
        amount: charged.amount,
        org_auth_amount: charged.amount,
        provider_ref: answer.providerRef,
        processed_at: now,
        updated_at: now,
        payment_response: response(charged, {
          result: 'approved',
          auth_code: answer.authCode,
          provider_ref: answer.providerRef,
        }),
      }
    case 'pending':
      return { ...NO_ERROR, status: 'pending', payment_response: null, updated_at: now }
    case 'challenge':
      return { ...NO_ERROR, ...ANSWERED, status: '3ds pending', payment_response: null, updated_at: now }
    case 'declined':
    case 'failed':
      return {
        ...ANSWERED,
        status: answer.kind,
        status_details: entryByKey(answer.error).name,
        error_name: answer.error,
        error_message: answer.message ?? null,
        payment_response: response(charged, { result: answer.kind, error: entryByKey(answer.error).name }),
        updated_at: now,
      }
  }
}

/** What was answered, as the transaction shows it. */
const response = ({ event }: Charged, answer: { readonly result: string; readonly [fact: string]: string }) =>
  event === 'credit_checked' ? { ...answer, credit_check: answer.result } : answer
