import { createAuthCode, createProviderRef } from '../acquirer/authorization.ts'
import type { Ambient } from '../domain/ambient.ts'
import { getEntryByKey } from '../domain/errors/errors.ts'
import { parseAmount } from '../domain/money/money.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { STATES } from '../domain/order/states.ts'
import type { TransactionChanges } from '../storage/tables/transactions.ts'
import type { Fixtures } from './fixtures.ts'

type Payment = Fixtures['transactions'][number]

/** Members that only successful payments have. */
const OF_PAID = ['provider_ref', 'processed_at', 'captures', 'refunds'] as const
const OF_UNPAID = ['error_name', 'status_details'] as const

const REFUSED = { declined: 'errors.payment.declined', failed: 'errors.payment.failed' } as const

/**
 * Returns the missing members of a fixture's payment by its status, so that the API shows it like
 * any other with that status (specification: Transaction).
 * @param at epoch milliseconds; when it ended
 */
export function createOutcome(
  payment: Payment,
  randomBytes: Ambient['randomBytes'],
  at: number,
): TransactionChanges {
  const { status } = payment
  if (status === 'declined' || status === 'failed') {
    const error_name = payment.error_name ?? REFUSED[status]
    const { name } = getEntryByKey(error_name)
    return {
      error_name,
      status_details: payment.status_details ?? name,
      payment_response: payment.payment_response ?? { result: status, error: name },
    }
  }
  if (!cameOff(payment)) return {}
  const provider_ref = payment.provider_ref ?? createProviderRef(randomBytes)
  return {
    provider_ref,
    processed_at: payment.processed_at ?? at,
    transaction_type:
      payment.transaction_type ?? PAYMENT_METHODS[payment.payment_method].transactionType,
    payment_response: payment.payment_response ?? {
      result: 'approved',
      auth_code: createAuthCode(randomBytes),
      provider_ref,
    },
  }
}

/**
 * Returns the member of a fixture's payment that contradicts its status; undefined if there is
 * none.
 */
export function findContradiction(payment: Payment): string | undefined {
  const { status, amount } = payment
  const isPaid = cameOff(payment)
  if (isPaid && !parseAmount(amount).ok)
    return `amount is missing: a payment with status ${status} has an amount such as 10.00`
  const field = (isPaid ? OF_UNPAID : OF_PAID).find((each) => isSet(payment[each]))
  return field && `${field} must be empty: a payment with status ${status} has no ${field}`
}

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value)

/** Returns true if the payment's money was captured or reserved. */
const cameOff = ({ status }: Payment): boolean => STATES[status].refundable
