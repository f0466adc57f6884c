import { describe, expect, test } from 'vitest'
import { hasControlCharacters } from '../../../mock-gateway/domain/control-characters.ts'

describe('control characters are found', () => {
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
    test(`in ${JSON.stringify(`a${character}b`)}`, () => expect(hasControlCharacters(`a${character}b`)).toBe(true))

  for (const text of ['', 'plain text', 'å ä ö', '李小龍', 'a\u200db', '👍'])
    test(`not in ${JSON.stringify(text)}`, () => expect(hasControlCharacters(text)).toBe(false))
})
