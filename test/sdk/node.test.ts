// @vitest-environment node
import { expect, test } from 'vitest'

test('invariant 10: the library can be imported without a document', async () => {
  expect(typeof document).toBe('undefined')
  const { createMondido, encrypt, card } = await import('../../sdk/index.ts')
  expect([typeof createMondido, typeof encrypt, card.brand('4111 1111 1111 1111')]).toEqual([
    'function',
    'function',
    'visa',
  ])
})
