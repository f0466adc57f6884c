import type { Charge } from './charge.ts'

/** One step in the life of a transaction, before it has an id (specification: log_events). */
export interface Step {
  readonly event_type: 'payment' | 'rules' | 'fraud_check'
  readonly data: Readonly<Record<string, unknown>>
}

export const createdStep = (process: boolean): Step => ({
  event_type: 'payment',
  data: { event: 'created', process },
})

export const chargedStep = ({ event, changes, refusal }: Charge): Step => ({
  event_type: 'payment',
  data: { event, status: changes.status, ...(refusal ? { error: refusal.error } : {}) },
})

/** A card was to be stored, and only paid. */
export const notStoredStep: Step = {
  event_type: 'payment',
  data: { event: 'not_stored', error: 'errors.stored_card.store.declined' },
}

/** A plan was ordered, and what paid cannot be charged again. */
export const notSubscribedStep = (planId: number): Step => ({
  event_type: 'payment',
  data: { event: 'not_subscribed', plan_id: planId },
})

export const updatedStep = (parameters: readonly string[]): Step => ({
  event_type: 'payment',
  data: { event: 'updated', parameters },
})

/** Rows of these steps. */
export const logEventRows = (transactionId: number, steps: readonly Step[], now: number) =>
  steps.map(({ event_type, data }) => ({
    transaction_id: transactionId,
    event_type,
    data,
    created_at: now,
  }))
