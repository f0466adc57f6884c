import { describe, expect, test } from 'vitest'
import { unwrap } from '../../../mock-gateway/domain/parsed.ts'
import { NONE_ENCRYPTED } from '../../../mock-gateway/parsing/parameters/decrypt.ts'
import type { Parameters } from '../../../mock-gateway/parsing/parameters/parameters.ts'
import { readUpdateTransaction } from '../../../mock-gateway/parsing/update-transaction.ts'
import { refusal } from '../domain/refusal.ts'

const NOON = Date.UTC(2026, 2, 14, 12)

const changesOf = (sent: Parameters) =>
  unwrap(readUpdateTransaction(7, sent, { now: NOON, encrypted: NONE_ENCRYPTED }).changes)

describe('an invalid start date of a subscription', () => {
  test('is rejected if the request has a plan', () =>
    expect(refusal(() => changesOf({ plan_id: '1', start_date: 'soon' }))).toBe(
      'errors.request.bad_format',
    ))

  test('has no effect if the request has no plan', () =>
    expect(changesOf({ amount: '10.00', start_date: 'soon' })).toMatchObject({
      amount: '10.00',
      planId: undefined,
    }))
})
