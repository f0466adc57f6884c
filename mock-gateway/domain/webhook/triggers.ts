import type { TransactionStatus } from '../../contract/wire.ts'

/**
 * Triggers of webhooks (specification: Webhooks; observed: 10.1). Unknown triggers are accepted and
 * never fire, because the specification's list is incomplete. `payment` fires for every outcome of
 * a payment, and again after a capture; `payment_form` for the outcome of a payment that the payer
 * sent from the payment page or a form, including 3-D Secure (decision 67); `recurring_success` for
 * a subscription's charge; `stored_card` when a card is stored. `before_payment` is a question
 * before the bank is asked (decision 67).
 */
export const TRIGGERS = [
  'payment',
  'payment_success',
  'payment_error',
  'payment_form',
  'recurring_success',
  'refund',
  'stored_card',
  'before_payment',
] as const

export type Trigger = (typeof TRIGGERS)[number]

/** The trigger that fires before the bank is asked. */
export const BEFORE_PAYMENT = 'before_payment' satisfies Trigger

/** The parts of an event that triggers depend on. */
export interface TriggerCause {
  /** Event name in the transaction's log. */
  readonly event: string
  /** The transaction's new status. */
  readonly status?: TransactionStatus
  /** The payer paid on the payment page or with a form. */
  readonly form?: true
}

type PaymentOutcome = 'success' | 'error' | 'open'

/** Outcome of a payment by its status; null: no outcome yet. */
const OUTCOMES: Readonly<Record<TransactionStatus, PaymentOutcome | null>> = {
  approved: 'success',
  authorized: 'success',
  declined: 'error',
  failed: 'error',
  // The payer has not answered yet, in an app or at a bank.
  pending: 'open',
  '3ds pending': null,
  'capture pending': null,
}

/** Events that decide the outcome of a payment. */
const PAYING: ReadonlySet<string> = new Set(['charged', 'credit_checked', 'started'])

const BY_OUTCOME: Readonly<Record<PaymentOutcome, readonly Trigger[]>> = {
  success: ['payment', 'payment_success'],
  error: ['payment', 'payment_error'],
  open: ['payment'],
}

/** Triggers of other events. */
const BY_EVENT: ReadonlyMap<string, readonly Trigger[]> = new Map<string, readonly Trigger[]>([
  ['captured', ['payment']],
  ['capture_failed', BY_OUTCOME.error],
  ['expired', BY_OUTCOME.error],
  ['refunded', ['refund']],
  ['card_stored', ['stored_card']],
])

/**
 * Returns the triggers that an event fires.
 * @param recurring true if the transaction is a subscription's charge
 */
export function listTriggers(
  { event, status, form }: TriggerCause,
  recurring = false,
): readonly Trigger[] {
  const outcome = PAYING.has(event) && status !== undefined ? OUTCOMES[status] : null
  if (outcome === null) return BY_EVENT.get(event) ?? []
  return [
    ...BY_OUTCOME[outcome],
    ...(form ? (['payment_form'] as const) : []),
    ...(recurring && outcome === 'success' ? (['recurring_success'] as const) : []),
  ]
}
