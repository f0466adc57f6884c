import { describe, expect, test } from 'vitest'
import { checkTestFlag } from '../../../mock-gateway/acquirer/test-flag.ts'
import { refusal } from '../domain/refusal.ts'

describe('the test flag and the card number', () => {
  for (const [number, flag, outcome] of [
    ['4111111111111111', true, 'accepted'],
    ['4111111111111111', false, 'errors.card_number.invalid'],
    ['4000000000001091', true, 'accepted'],
    ['4000000000001091', false, 'errors.card_number.invalid'],
    ['4000000000000002', true, 'errors.card_number.invalid'],
    ['4000000000000002', false, 'accepted'],
  ] as const)
    test(`${number} with test=${flag} is ${outcome}`, () =>
      expect(refusal(() => checkTestFlag(number, flag))).toBe(outcome))
})
