import { describe, expect, test } from 'vitest'
import { NONE_ENCRYPTED } from '../../../mock-gateway/parsing/parameters/decrypt.ts'
import type { Parameters } from '../../../mock-gateway/parsing/parameters/parameters.ts'
import { readUpdateTransaction } from '../../../mock-gateway/parsing/update-transaction.ts'
import type { TransactionRow } from '../../../mock-gateway/storage/tables/transactions.ts'
import { refusal } from '../domain/refusal.ts'

const NOON = Date.UTC(2026, 2, 14, 12)

const readChanges = (sent: Parameters, plan_id: number | null) =>
  readUpdateTransaction(7, sent, { now: NOON, encrypted: NONE_ENCRYPTED }).readChanges({
    plan_id,
  } as TransactionRow)

describe('an invalid start date of a subscription', () => {
  test.each([
    ['the request', { plan_id: '1', start_date: 'soon' }, null],
    ['the transaction', { start_date: 'soon' }, 1],
  ])('is rejected if %s has a plan', (_whose, sent, plan) =>
    expect(refusal(() => readChanges(sent, plan))).toBe('errors.request.bad_format'),
  )

  test('has no effect if neither has a plan', () =>
    expect(readChanges({ amount: '10.00', start_date: 'soon' }, null)).toEqual({
      amount_text: '10.00',
      payment_request: { amount: '10.00', start_date: 'soon' },
    }))
})
