import { expect, test } from 'vitest'
import { memoized } from '../../../mock-gateway/domain/memoized.ts'

test('a result is calculated once for each text, until there are too many texts', () => {
  const made: string[] = []
  const lengthOf = memoized(2, (text) => made.push(text) && text.length)
  expect(['a', 'bb', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 2])
  expect(made).toEqual(['a', 'bb'])
  expect(['ccc', 'ccc', 'a'].map(lengthOf)).toEqual([3, 3, 1])
  expect(made).toEqual(['a', 'bb', 'ccc', 'a'])
})

test('a call that throws is repeated', () => {
  let tries = 0
  const failing = memoized(2, () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
    return 'now'
  })
  expect(() => failing('x')).toThrow('not yet')
  expect(failing('x')).toBe('now')
})
