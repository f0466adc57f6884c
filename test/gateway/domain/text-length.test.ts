import { describe, expect, test } from 'vitest'
import { isLongerThan } from '../../../mock-gateway/domain/text-length.ts'

describe('a text of at most three characters', () => {
  for (const text of ['', 'abc', 'åäö', '李小龍', '😀😀😀', '😀a😀'])
    test(`may be ${JSON.stringify(text)}`, () => expect(isLongerThan(text, 3)).toBe(false))

  for (const text of ['abcd', '😀😀😀a', '😀😀😀😀'])
    test(`may not be ${JSON.stringify(text)}`, () => expect(isLongerThan(text, 3)).toBe(true))
})
