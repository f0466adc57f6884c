import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../../mock-gateway/parsing/parameters/json.ts'

const OPTIONS = { subject: 'The text', error: 'errors.json.malformed', depth: 16 } as const
const parse = (text: string) => parseJson(text, OPTIONS)
/** Parses a text, and returns the value that a client would read from an answer with it. */
const plain = (text: string) => JSON.parse(JSON.stringify(parse(text)))

describe('parseJson agrees with JSON.parse', () => {
  for (const text of [
    '0',
    '-1.5e-3',
    '"a\\n\\u00e5\\"\\\\"',
    ' [ ] ',
    '{ }',
    '[1,[2,[]],{"a":null}]',
    '\t{"a" : true}\r\n',
    '{"a": 1, "b": 2}',
  ])
    test(`on ${text}`, () => expect(plain(text)).toEqual(JSON.parse(text)))

  for (const text of [
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    'NaN',
    'nul',
    'truee',
    '"a',
    '"\\x"',
    '"\\u12"',
    '"\t"',
    '[1,]',
    '[1 2]',
    '{"a"}',
    '{a:1}',
    '{"a":1,}',
    '{,}',
    ']',
    '1 2',
    '\u00a01',
    '"\\',
  ])
    test(`that the text ${JSON.stringify(text)} is malformed`, () => {
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
      expect(() => parse(text)).toThrow('errors.json.malformed')
    })

  test('on any text made of JSON pieces', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"',
      '\\',
      '1',
      '-',
      '.5',
      'e3',
      'null',
      'true',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const expected = attempt(() => JSON.parse(text))
        const actual = attempt(() => plain(text))
        // JSON.parse accepts repeated keys, which this parser rejects.
        if (actual === undefined && /"a".*"a"|"b".*"b"/.test(text)) return
        expect(actual).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('for texts that JSON.parse would change or accept,', () => {
  for (const text of ['9007199254740991', '0.1', '-7'])
    test(`${text} is read as the same number`, () => expect(parse(text)).toBe(Number(text)))

  for (const text of [
    '9007199254740993',
    '-123456789012345678901',
    '1e21',
    '1E3',
    '1e999',
    '1.50',
    '-0',
  ])
    test(`${text} keeps its digits`, () => {
      expect(JSON.stringify(parse(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`)
      expect(String(parse(text))).toBe(text)
    })

  test('numbers directly inside the outermost object can stay text', () =>
    expect(
      parseJson('{"amount":10.00,"items":[{"qty":1}],"n":-1e2}', {
        ...OPTIONS,
        keepNumberText: true,
      }),
    ).toEqual({ amount: '10.00', items: [{ qty: 1 }], n: '-1e2' }))

  test('objects have no prototype', () => {
    const value = parse('{"a":{}}') as { a: object }
    expect(Object.getPrototypeOf(value)).toBeNull()
    expect(Object.getPrototypeOf(value.a)).toBeNull()
  })

  for (const text of ['{"a":1,"a":1}', '{"x":{"a":1,"\\u0061":2}}'])
    test(`${text} names a key twice`, () =>
      expect(() => parse(text)).toThrow('errors.json.malformed'))

  for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])
    test(`the key ${key} is an own property of the object`, () => {
      const text = `[{"${key}":1}]`
      expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)))
    })
})

describe('the depth of JSON is limited:', () => {
  const nest = (open: string, close: string, levels: number) =>
    `${open.repeat(levels)}1${close.repeat(levels)}`

  test('16 levels are accepted', () => expect(() => parse(nest('[', ']', 16))).not.toThrow())
  test('the levels of siblings are not added up', () =>
    expect(() => parse(`[${'[1],'.repeat(100)}[]]`)).not.toThrow())

  for (const [open, close, levels] of [
    ['[', ']', 17],
    ['{"a":', '}', 17],
    ['[', ']', 50_000],
    ['[', '', 100_000],
  ] as const)
    test(`${levels} times ${open} is rejected`, () =>
      expect(() => parse(nest(open, close, levels))).toThrow('errors.json.malformed'))
})

function attempt(act: () => unknown): unknown {
  try {
    return act()
  } catch {
    return undefined
  }
}
