import { describe, expect, test } from 'vitest'
import { type Cause, type Trigger, triggersOf } from '../../../../mock-gateway/domain/webhook/triggers.ts'

type Fired = readonly Trigger[]
const SUCCESS: Fired = ['payment', 'payment_success']
const ERROR: Fired = ['payment', 'payment_error']

/** What happened, what fires of a transaction, and what besides it of a subscription's charge. */
const MATRIX: readonly (readonly [cause: Cause, fired: Fired, recurring?: Fired])[] = [
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
  [{ event: 'charged', status: 'approved', form: true }, [...SUCCESS, 'payment_form'], ['recurring_success']],
  [{ event: 'charged', status: 'declined', form: true }, [...ERROR, 'payment_form']],
  [{ event: 'captured' }, ['payment']],
  [{ event: 'capture_failed' }, ERROR],
  [{ event: 'expired', status: 'failed' }, ERROR],
  [{ event: 'refunded' }, ['refund']],
  [{ event: 'card_stored' }, ['stored_card']],
  [{ event: 'challenged', status: '3ds pending' }, []],
  [{ event: 'reopened', status: 'pending' }, []],
  [{ event: 'created' }, []],
  [{ event: 'updated' }, []],
  [{ event: 'not_stored' }, []],
  [{ event: 'weak_hash' }, []],
]

describe('of what happens to a transaction fires', () => {
  for (const [cause, fired, more = []] of MATRIX)
    test(`${JSON.stringify(cause)}: ${fired.join(', ') || 'nothing'}`, () => {
      expect(triggersOf(cause)).toEqual(fired)
      expect(triggersOf(cause, true)).toEqual([...fired, ...more])
    })
})
