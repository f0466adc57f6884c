import type { TransactionStatus } from '../../contract/wire.ts'

/**
 * What webhooks may wait for (specification: Webhooks; observed: 10.1). Others are taken and never
 * fire, as the list of the specification is incomplete. `payment` fires for every outcome of a
 * payment, and again after a capture; `payment_form` for the outcome of a payment that the payer
 * sent from the payment page or a form, however 3-D Secure behind it ended (decision 67);
 * `recurring_success` for a subscription's charge; `stored_card` when a card is stored.
 * `before_payment` is asked before the bank is (decision 67).
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

/** The one that is asked before the bank is. */
export const BEFORE_PAYMENT = 'before_payment' satisfies Trigger

/** What happened, as far as triggers depend on it. */
export interface TriggerCause {
  /** As in a transaction's log. */
  readonly event: string
  /** What the transaction became. */
  readonly status?: TransactionStatus
  /** The payer sent it from the payment page or a form. */
  readonly form?: true
}

type PaymentOutcome = 'success' | 'error' | 'open'

/** How the outcome of a payment is told from the status that it leads to; null is no outcome. */
const OUTCOMES: Readonly<Record<TransactionStatus, PaymentOutcome | null>> = {
  approved: 'success',
  authorized: 'success',
  declined: 'error',
  failed: 'error',
  // The payer has yet to answer, in an app or at a bank.
  pending: 'open',
  '3ds pending': null,
  'capture pending': null,
}

/** Events by which a payment comes to its outcome. */
const PAYING: ReadonlySet<string> = new Set(['charged', 'credit_checked', 'started'])

const BY_OUTCOME: Readonly<Record<PaymentOutcome, readonly Trigger[]>> = {
  success: ['payment', 'payment_success'],
  error: ['payment', 'payment_error'],
  open: ['payment'],
}

/** What other events fire. */
const BY_EVENT: ReadonlyMap<string, readonly Trigger[]> = new Map<string, readonly Trigger[]>([
  ['captured', ['payment']],
  ['capture_failed', BY_OUTCOME.error],
  ['expired', BY_OUTCOME.error],
  ['refunded', ['refund']],
  ['card_stored', ['stored_card']],
])

/**
 * The triggers that fire for one thing that happened.
 * @param recurring true when the transaction is a subscription's charge
 */
export function triggersOf(
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
