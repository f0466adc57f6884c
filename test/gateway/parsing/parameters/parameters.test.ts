import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../mock-gateway/domain/errors/errors.ts'
import {
  flag,
  integer,
  list,
  object,
  pick,
  text,
} from '../../../../mock-gateway/parsing/parameters/parameters.ts'

const refusal = (act: () => unknown): GatewayError => {
  try {
    act()
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new Error('Nothing was refused')
}

test('a call gets only the parameters that it reads', () => {
  const picked = pick({ ref: 'A100', reason: null, constructor_name: 'x' }, [
    'ref',
    'reason',
    'amount',
  ])
  expect({ ...picked }).toEqual({ ref: 'A100', reason: null })
  // @ts-expect-error: a name that is not in the list cannot be read
  expect(text(picked, 'constructor_name')).toBeUndefined()
})

describe('a text parameter:', () => {
  for (const [value, expected] of [
    ['A100', 'A100'],
    [' ', ' '],
    ['', undefined],
    [null, undefined],
    [10.5, '10.5'],
    [0, '0'],
    [true, 'true'],
  ] as const)
    test(`${JSON.stringify(value)} reads as ${expected}`, () =>
      expect(text({ ref: value }, 'ref')).toBe(expected))

  test('a parameter that was not sent is undefined', () => expect(text({}, 'ref')).toBeUndefined())

  for (const value of [[], ['A100'], {}, { a: 'A100' }])
    test(`${JSON.stringify(value)} is rejected`, () =>
      expect(() => text({ ref: value }, 'ref')).toThrow('errors.request.bad_format'))
})

describe('a flag parameter:', () => {
  for (const [value, expected] of [
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['on', true],
    [true, true],
    [1, true],
    ['false', false],
    ['False', false],
    ['0', false],
    [false, false],
    ['', undefined],
    [null, undefined],
  ] as const)
    test(`${JSON.stringify(value)} is read as ${expected}`, () =>
      expect(flag({ test: value }, 'test')).toBe(expected))

  for (const value of ['yes', 'ture', ' true', '2', 'toString', ['true']])
    test(`${JSON.stringify(value)} is rejected`, () =>
      expect(() => flag({ test: value }, 'test')).toThrow('errors.request.bad_format'))
})

test('a repeated flag is accepted, but only under the name of a known flag', () => {
  // @ts-expect-error: not in FLAG_FIELDS
  expect(flag({ gift: '1' }, 'gift')).toBe(true)
})

describe('an integer parameter:', () => {
  for (const [value, expected] of [
    ['0', 0],
    ['42', 42],
    ['-7', -7],
    [42, 42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['', undefined],
  ] as const)
    test(`${JSON.stringify(value)} is read as ${expected}`, () =>
      expect(integer({ plan_id: value }, 'plan_id', 'errors.plan.invalid')).toBe(expected))

  for (const value of [
    '1.0',
    '1e3',
    '0x10',
    '+1',
    '01',
    '-0',
    ' 1',
    '9007199254740992',
    '١',
    'Infinity',
    true,
  ])
    test(`${JSON.stringify(value)} is rejected with the error of the caller`, () =>
      expect(() => integer({ plan_id: value }, 'plan_id', 'errors.plan.invalid')).toThrow(
        'errors.plan.invalid',
      ))
})

describe('an object parameter:', () => {
  const read = (value: Parameters<typeof object>[0][string]) =>
    object({ metadata: value }, 'metadata', 'errors.metadata.invalid')
  const json = '{"user":"Åsa","n":1}'

  for (const [spelling, value] of [
    ['a real object', { user: 'Åsa', n: 1 }],
    ['JSON text', json],
    ['JSON text with blanks around it', ` \r\n${json}\n`],
    ['URL-encoded JSON text', encodeURIComponent(json)],
    ['JSON text encoded twice', JSON.stringify(json)],
    ['JSON text encoded twice, in base64', Buffer.from(JSON.stringify(json)).toString('base64')],
    [
      'URL-encoded JSON text in lower case',
      encodeURIComponent(json).replaceAll(/%../g, (octet) => octet.toLowerCase()),
    ],
    ['base64 of JSON', Buffer.from(json).toString('base64')],
    [
      'base64 of JSON with line breaks',
      Buffer.from(json)
        .toString('base64')
        .replace(/(.{8})/g, '$1\r\n'),
    ],
  ] as const)
    test(`${spelling} is understood`, () => expect(read(value)).toEqual({ user: 'Åsa', n: 1 }))

  test('plus signs are blanks in URL-encoded JSON text', () =>
    expect(read('%7B%22a%22%3A+%22b+c%2Bd%22%7D')).toEqual({ a: 'b c+d' }))

  for (const value of ['', ' ', null, [], '[]', '[ ]', 'null'])
    test(`${JSON.stringify(value)} is unset`, () => expect(read(value)).toBeUndefined())

  test('an empty object is an object', () => expect(read('{}')).toEqual({}))

  test('numbers, booleans and null keep their type', () =>
    expect(read('{"a":1.5,"b":-2000,"c":true,"d":false,"e":null,"f":[1,"1"]}')).toEqual({
      a: 1.5,
      b: -2000,
      c: true,
      d: false,
      e: null,
      f: [1, '1'],
    }))

  test('keys keep their order', () =>
    expect(Object.keys(read('{"z":1,"a":2,"m":3}') ?? {})).toEqual(['z', 'a', 'm']))

  for (const [value, error] of [
    ['{"a":1', 'errors.json.malformed'],
    ["{'a':1}", 'errors.json.malformed'],
    ['{"a":1}x', 'errors.json.malformed'],
    ['{"a":1,"a":2}', 'errors.json.malformed'],
    ['hello', 'errors.json.malformed'],
    ['%7B%22a%22', 'errors.json.malformed'],
    [Buffer.from('{"a"').toString('base64'), 'errors.json.malformed'],
    [Buffer.from(json).toString('base64').slice(0, -2), 'errors.json.malformed'],
    ['[{"a":1}]', 'errors.metadata.invalid'],
    ['5', 'errors.metadata.invalid'],
    ['"text"', 'errors.metadata.invalid'],
    [JSON.stringify(JSON.stringify(json)), 'errors.metadata.invalid'],
    ['"{"', 'errors.json.malformed'],
    [true, 'errors.metadata.invalid'],
    [['a'], 'errors.metadata.invalid'],
    ['{"a":"\\ud800"}', 'errors.encoding.invalid'],
    ['%7B%FF%7D', 'errors.encoding.invalid'],
    [Buffer.from([0x7b, 0xff]).toString('base64'), 'errors.encoding.invalid'],
    ['{"a":"\\u0000"}', 'errors.request.bad_format'],
    ['%7B%22a%00%22%7D', 'errors.request.bad_format'],
  ] as const)
    test(`${JSON.stringify(value)} is rejected with ${error}`, () =>
      expect(() => read(value)).toThrow(error))

  test('the explanation names the parameter and the place', () =>
    expect(refusal(() => read('{"a":1,}')).explain).toBe(
      'The parameter metadata cannot be read as JSON: Expected double-quoted property name in JSON at position 7 (line 1 column 8).',
    ))

  test('attack 101 (pan-in-logs): the explanation does not repeat the text', () =>
    expect(refusal(() => read('["4111111111111111",]')).explain).not.toContain('4111'))
})

describe('a list parameter:', () => {
  const read = (value: Parameters<typeof list>[0][string], single = false) =>
    list({ items: value }, 'items', 'errors.items.not_array', { single })

  for (const [spelling, value] of [
    ['a real list', [{ a: '1' }, { a: '2' }]],
    ['JSON text', '[{"a":"1"},{"a":"2"}]'],
    ['URL-encoded JSON text', encodeURIComponent('[{"a":"1"},{"a":"2"}]')],
    ['base64 of JSON', Buffer.from('[{"a":"1"},{"a":"2"}]').toString('base64')],
    ['an object with whole-number keys', { 0: { a: '1' }, 1: { a: '2' } }],
    ['gaps between the numbers', { 3: { a: '1' }, 999999999: { a: '2' } }],
    ['numbers in any order', { 10: { a: '2' }, 9: { a: '1' } }],
  ] as const)
    test(`${spelling} is understood`, () => expect(read(value)).toEqual([{ a: '1' }, { a: '2' }]))

  for (const value of ['', null, 'null'])
    test(`${JSON.stringify(value)} is unset`, () => expect(read(value)).toBeUndefined())

  for (const value of [[], '[]', {}])
    test(`${JSON.stringify(value)} is an empty list`, () => expect(read(value)).toEqual([]))

  test('a single object counts as a list of one if the caller allows it', () =>
    expect(read('{"url":"https://shop.example"}', true)).toEqual([{ url: 'https://shop.example' }]))

  for (const value of [{ a: '1' }, { 0: 'a', x: 'b' }, { '01': 'a' }, { '-1': 'a' }, '5', true])
    test(`${JSON.stringify(value)} is rejected with the error of the caller`, () =>
      expect(() => read(value)).toThrow('errors.items.not_array'))

  test('a scalar is rejected even if the caller allows a single object', () =>
    expect(() => read('5', true)).toThrow('errors.items.not_array'))

  test('text that is not JSON is rejected as malformed', () =>
    expect(() => read('[1,')).toThrow('errors.json.malformed'))
})

test('an explanation does not repeat a name that may be a misplaced value', () =>
  expect(
    refusal(() => text({ 'card_number: 4111111111111111': [] }, 'card_number: 4111111111111111'))
      .explain,
  ).toBe('A parameter must be a single value.'))
