import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished, vi } from 'vitest'

/**
 * Counts the calls of a function of `node:crypto` until the test ends.
 * @returns the number of calls so far
 */
export function countCalls(name: 'scrypt' | 'privateDecrypt'): () => number {
  const spy = vi.spyOn(crypto, name)
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  return () => spy.mock.calls.length
}
