import { describe, expect, test } from 'vitest'
import type { TransactionStatus } from '../../../../mock-gateway/contract/wire.ts'
import { findStatusEvent, STATES } from '../../../../mock-gateway/domain/order/states.ts'

const ALL: readonly TransactionStatus[] = [
  'pending',
  '3ds pending',
  'authorized',
  'capture pending',
  'approved',
  'declined',
  'failed',
]

const having = (rule: 'payable' | 'updatable' | 'capturable' | 'refundable' | 'claimsPaymentRef') =>
  ALL.filter((status) => STATES[status][rule])

describe('the lifecycle of a transaction', () => {
  for (const [from, next] of [
    ['pending', ['3ds pending', 'authorized', 'approved', 'declined', 'failed']],
    ['3ds pending', ['pending', 'authorized', 'approved', 'declined', 'failed']],
    ['authorized', ['capture pending', 'approved']],
    ['capture pending', ['approved', 'failed']],
    ['approved', []],
    ['declined', ['pending', '3ds pending', 'authorized', 'approved', 'declined', 'failed']],
    ['failed', ['pending', '3ds pending', 'authorized', 'approved', 'declined', 'failed']],
  ] as const)
    test(`allows changes from ${from} to ${next.join(', ') || 'no other status'}`, () =>
      expect(ALL.filter((to) => findStatusEvent(from, to)).sort()).toEqual([...next].sort()))

  for (const [from, to, event] of [
    ['pending', 'approved', 'charged'],
    ['pending', '3ds pending', 'challenged'],
    ['3ds pending', 'declined', 'charged'],
    ['3ds pending', 'pending', 'reopened'],
    ['failed', 'failed', 'charged'],
    ['authorized', 'approved', 'captured'],
    ['authorized', 'capture pending', 'capture_sent'],
    ['capture pending', 'approved', 'captured'],
    ['capture pending', 'failed', 'capture_failed'],
  ] as const)
    test(`the change from ${from} to ${to} is called ${event}`, () =>
      expect(findStatusEvent(from, to)).toBe(event))

  test('has the seven statuses of the specification', () =>
    expect(Object.keys(STATES)).toEqual(ALL))

  test('can reach every status from pending', () => {
    const reached = new Set<TransactionStatus>(['pending'])
    for (const status of reached)
      for (const next of ALL) if (findStatusEvent(status, next)) reached.add(next)
    expect(reached.size).toBe(ALL.length)
  })
})

describe('a transaction', () => {
  for (const [rule, statuses] of [
    ['payable', ['pending', 'declined', 'failed']],
    ['updatable', ['pending', 'authorized', 'declined', 'failed']],
    ['capturable', ['authorized']],
    ['refundable', ['authorized', 'approved']],
    ['claimsPaymentRef', ['3ds pending', 'authorized', 'capture pending', 'approved']],
  ] as const)
    test(`has the property ${rule} exactly in the status ${statuses.join(', ')}`, () =>
      expect(having(rule)).toEqual(statuses))

  test('is never paid twice: if it is payable, it can be neither captured nor refunded', () => {
    expect(
      having('payable').filter((status) => STATES[status].capturable || STATES[status].refundable),
    ).toEqual([])
  })

  test('reserves its payment_ref in every status in which no payment can begin', () => {
    expect(having('claimsPaymentRef')).toEqual(ALL.filter((status) => !STATES[status].payable))
  })

  for (const [status, refusal] of [
    ['3ds pending', 'errors.transaction.locked'],
    ['capture pending', 'errors.transaction.locked'],
    ['authorized', 'errors.transaction.processed'],
    ['approved', 'errors.transaction.processed'],
  ] as const)
    test(`a transaction that is ${status} rejects a payment with ${refusal}`, () =>
      expect(STATES[status].refusal).toBe(refusal))
})
