import { expect, test, vi } from 'vitest'
import { testCard } from '../../../../mock-gateway/domain/card/test-cards.ts'
import type * as Cases from '../../../../mock-gateway/domain/card/three-d-secure-cases.ts'

vi.mock('../../../../mock-gateway/domain/card/three-d-secure-cases.ts', async (importActual) => {
  const { CASES, ALWAYS } = await importActual<typeof Cases>()
  return { CASES: [...CASES, ALWAYS], ALWAYS }
})

test('a new row of 3-D Secure cases gets its test cards', () =>
  expect(testCard('4000000000001240')).toEqual({ brand: 'visa', threeDSecure: 25 }))
