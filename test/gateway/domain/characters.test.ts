import { describe, expect, test } from 'vitest'
import { hasControlCharacters, isLongerThan } from '../../../mock-gateway/domain/characters.ts'

describe('a text of at most three characters', () => {
  for (const text of ['', 'abc', 'åäö', '李小龍', '😀😀😀', '😀a😀'])
    test(`may be ${JSON.stringify(text)}`, () => expect(isLongerThan(text, 3)).toBe(false))

  for (const text of ['abcd', '😀😀😀a', '😀😀😀😀'])
    test(`may not be ${JSON.stringify(text)}`, () => expect(isLongerThan(text, 3)).toBe(true))
})

describe('a control character is found', () => {
  for (const character of [
    '\0',
    '\t',
    '\n',
    '\x7f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
  ])
    test(`in ${JSON.stringify(`a${character}b`)}`, () =>
      expect(hasControlCharacters(`a${character}b`)).toBe(true))

  for (const text of ['', 'plain text', 'å ä ö', '李小龍', 'a\u200db', '👍'])
    test(`but not in ${JSON.stringify(text)}`, () => expect(hasControlCharacters(text)).toBe(false))
})
