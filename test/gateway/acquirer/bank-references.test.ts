import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authCode, providerRef } from '../../../mock-gateway/acquirer/bank-references.ts'

test('an authorization code has six digits and keeps its leading zeros', () => {
  expect(authCode(() => Uint8Array.of(0, 0, 0, 7))).toBe('000007')
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
      expect(authCode(() => bytes)).toMatch(/^[0-9]{6}$/)
    }),
  )
})

test('a reference of the bank shows that it is simulated', () => {
  expect(providerRef((count) => new Uint8Array(count).fill(0xab))).toBe('sim_abababababababab')
})
