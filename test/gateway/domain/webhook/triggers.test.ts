import { describe, expect, test } from 'vitest'
import {
  type Trigger,
  type TriggerCause,
  triggersOf,
} from '../../../../mock-gateway/domain/webhook/triggers.ts'
import type { PaymentEvent } from '../../../../mock-gateway/outbox/payment-events.ts'

type Fired = readonly Trigger[]
const SUCCESS: Fired = ['payment', 'payment_success']
const ERROR: Fired = ['payment', 'payment_error']

/** Triggers of events that do not depend on the transaction's status. */
const OTHER_EVENTS: Readonly<
  Record<Exclude<PaymentEvent['event'], 'charged' | 'credit_checked' | 'started'>, Fired>
> = {
  created: [],
  weak_hash: [],
  challenged: [],
  rules_matched: [],
  fraud_checked: [],
  expired: ERROR,
  card_stored: ['stored_card'],
  card_removed: [],
  authenticated: [],
  soft_declined: [],
  gave_way: [],
  authentication_refused: [],
  not_stored: [],
  not_subscribed: [],
  updated: [],
  captured: ['payment'],
  capture_sent: [],
  capture_failed: ERROR,
  refunded: ['refund'],
  template_failed: [],
}

/** Events with their triggers, and the additional triggers if it is a subscription's charge. */
const MATRIX: readonly (readonly [cause: TriggerCause, fired: Fired, recurring?: Fired])[] = [
  ...(['charged', 'credit_checked', 'started'] as const).flatMap(
    (event) =>
      [
        [{ event, status: 'approved' }, SUCCESS, ['recurring_success']],
        [{ event, status: 'authorized' }, SUCCESS, ['recurring_success']],
        [{ event, status: 'declined' }, ERROR],
        [{ event, status: 'failed' }, ERROR],
        [{ event, status: 'pending' }, ['payment']],
      ] as const,
  ),
  ...Object.entries(OTHER_EVENTS).map(([event, fired]) => [{ event }, fired] as const),
  [
    { event: 'charged', status: 'approved', form: true },
    [...SUCCESS, 'payment_form'],
    ['recurring_success'],
  ],
  [{ event: 'charged', status: 'declined', form: true }, [...ERROR, 'payment_form']],
  [{ event: 'challenged', status: '3ds pending' }, []],
  [{ event: 'reopened', status: 'pending' }, []],
]

describe('the triggers for an event of a transaction', () => {
  for (const [cause, fired, recurring = []] of MATRIX)
    test(`${JSON.stringify(cause)}: ${fired.join(', ') || 'nothing'}`, () => {
      expect(triggersOf(cause)).toEqual(fired)
      expect(triggersOf(cause, true)).toEqual([...fired, ...recurring])
    })
})
