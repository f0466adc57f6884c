import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../mock-gateway/domain/json.ts'
import { formatContentRange } from '../../../mock-gateway/domain/listing.ts'
import { readListing } from '../../../mock-gateway/parsing/listing.ts'
import { LISTED_FIELDS } from '../../../mock-gateway/storage/tables/schema.ts'
import { refusal } from '../domain/refusal.ts'

const UNKNOWN = 'errors.filter_parameter.not_supported'
const BAD = 'errors.filter_value.not_supported'

const read = (parameters: JsonObject) => readListing(parameters, LISTED_FIELDS.transactions)

describe('a list call', () => {
  test('ignores empty values', () => {
    expect(read({ limit: '', offset: null, start_id: '', order_by: '', filter: '' })).toEqual(
      read({}),
    )
  })

  for (const [parameters, expected] of [
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '1000' }, { limit: 1000 }],
    [{ limit: '9999999' }, { limit: 1000 }],
    [{ offset: '0' }, { offset: 0 }],
    [{ offset: '20' }, { offset: 20 }],
    [{ start_id: '0' }, { startId: undefined }],
    [{ start_id: '90210' }, { startId: 90210 }],
    [{ order_by: 'amount' }, { order: { field: 'amount', direction: 'asc' } }],
    [{ order_by: 'amount:asc' }, { order: { field: 'amount', direction: 'asc' } }],
    [{ order_by: 'id:desc' }, { order: { field: 'id', direction: 'desc' } }],
    [{ order_by: 'id:DESC' }, { order: { field: 'id', direction: 'desc' } }],
  ] as const)
    test(`a list call with ${JSON.stringify(parameters)} reads ${JSON.stringify(expected)}`, () =>
      expect(read(parameters)).toMatchObject(expected))

  for (const [name, values] of [
    ['limit', ['0', '-1', '1e9', '1.0', 'NaN', 'ten', ' 1', '9223372036854775808']],
    ['offset', ['-1', '1e9', 'x', '9223372036854775808']],
    ['start_id', ['-1', 'x', '9223372036854775808']],
    ['order_by', ['id:up', 'id:', 'id:desc:asc', 'id:desc nulls first']],
  ] as const)
    for (const value of values)
      test(`a list call with ${name}=${value} is rejected`, () =>
        expect(refusal(() => read({ [name]: value }))).toBe(BAD))

  for (const field of [
    'secret',
    'secret:desc',
    'id desc',
    'id;select 1',
    ':desc',
    '__proto__',
    'toString',
  ])
    test(`a list call ordered by ${field} is rejected`, () =>
      expect(refusal(() => read({ order_by: field }))).toBe(UNKNOWN))
})

const filters = (filter: JsonObject) => read({ filter }).filters

describe('a text filter', () => {
  for (const [field, value, filter] of [
    ['payment_ref', 'A100', { kind: 'equals', value: 'A100' }],
    ['payment_ref', '', { kind: 'equals', value: '' }],
    ['payment_ref', '100%_\\', { kind: 'equals', value: '100%_\\' }],
    ['payment_ref', 'A*', { kind: 'like', parts: ['A', ''] }],
    ['payment_ref', '*', { kind: 'like', parts: ['', ''] }],
    ['payment_ref', 'a*b*c*d*e*f', { kind: 'like', parts: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['card_number', '411111******1111', { kind: 'like', parts: ['411111', '1111'] }],
    ['currency', 'SEK', { kind: 'equals', value: 'sek' }],
    ['card_type', 'VISA*', { kind: 'like', parts: ['visa', ''] }],
    ['status', '3ds pending', { kind: 'equals', value: '3ds pending' }],
    ['href_token', 'Zk3v-Qp0sT', { kind: 'equals', value: 'Zk3v-Qp0sT' }],
  ] as const)
    test(`${field}=${value} is read as ${JSON.stringify(filter)}`, () =>
      expect(filters({ [field]: value })).toEqual([{ field, ...filter }]))

  for (const [field, value] of [
    ['payment_ref', 'a*b*c*d*e*f*g'],
    ['payment_ref', 'a\0b'],
    ['payment_ref', 'a\nb'],
    ['payment_ref', 'x'.repeat(2001)],
    ['payment_ref', '😀'.repeat(2001)],
    ['payment_ref', ['A100']],
    ['status', { $ne: 'approved' }],
    ['href_token', 'Z*'],
  ] as const)
    test(`${field}=${JSON.stringify(value).slice(0, 40)} is rejected`, () =>
      expect(refusal(() => filters({ [field]: value }))).toBe(BAD))

  test('may have values of 2,000 characters, whatever they are', () => {
    const value = '😀'.repeat(2000)
    expect(filters({ payment_ref: value })).toEqual([
      { field: 'payment_ref', kind: 'equals', value },
    ])
  })
})

describe('a boolean filter', () => {
  for (const [value, expected] of [
    ['true', true],
    ['TRUE', true],
    ['1', true],
    [true, true],
    ['false', false],
    ['0', false],
    ['t*', true],
    ['*s*', false],
    ['f*l*e', false],
  ] as const)
    test(`test=${value} is read as ${expected}`, () =>
      expect(filters({ test: value })).toEqual([
        { kind: 'boolean', field: 'test', value: expected },
      ]))

  for (const value of ['*', '*e', '**'])
    test(`test=${value} filters nothing`, () => expect(filters({ test: value })).toEqual([]))

  for (const value of ['', 'yes', '2', 'x*', 't*x', 'tru', 'a*b*c*d*e*f*g', '(.*)*'])
    test(`test=${value} is rejected`, () =>
      expect(refusal(() => filters({ test: value }))).toBe(BAD))
})

const DAY = Date.parse('2024-02-29T00:00:00.000Z')
const DAY_END = Date.parse('2024-02-29T23:59:59.999Z')
const NEXT_DAY_END = Date.parse('2024-03-01T23:59:59.999Z')

describe('a range filter', () => {
  for (const [field, value, from, to] of [
    ['id', '5', 5, 5],
    ['id', '5..9', 5, 9],
    ['id', '5..5', 5, 5],
    ['id', '5..', 5, undefined],
    ['id', '..9', undefined, 9],
    ['customer_id', 812, 812, 812],
    ['amount', '100', 10000, 10000],
    ['amount', '100.5..200.50', 10050, 20050],
    ['amount', '100..', 10000, undefined],
    ['created_at', '20240229', DAY, DAY_END],
    ['created_at', '20240229..20240301', DAY, NEXT_DAY_END],
    ['created_at', '20240229..', DAY, undefined],
    ['updated_at', '..20240229', undefined, DAY_END],
  ] as const)
    test(`${field}=${value} reaches from ${from} to ${to}`, () =>
      expect(filters({ [field]: value })).toEqual([{ kind: 'range', field, from, to }]))

  for (const [field, value] of [
    ['id', ''],
    ['id', '..'],
    ['id', 'x'],
    ['id', '9..5'],
    ['id', '1..2..3'],
    ['id', '1...2'],
    ['id', '1.5'],
    ['id', '1*'],
    ['id', '1e3'],
    ['id', '9223372036854775808'],
    ['amount', '1..1) OR 1=1--'],
    ['amount', '1.005'],
    ['amount', '99999999999999999999'],
    ['created_at', '2024'],
    ['created_at', '20230229'],
    ['created_at', '20241301'],
    ['created_at', '20240100'],
    ['created_at', '2024-02-29'],
    ['created_at', '20240301..20240229'],
    ['created_at', { $gt: '20240301' }],
  ] as const)
    test(`${field}=${JSON.stringify(value)} is rejected`, () =>
      expect(refusal(() => filters({ [field]: value }))).toBe(BAD))

  test('a range of integers includes its bounds', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        expect(filters({ id: `${from}..${to}` })).toEqual([
          { kind: 'range', field: 'id', from, to },
        ])
      }),
    )
  })

  test('a range of days includes its first and last day', () => {
    const day = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    })
    const eight = (date: Date) => date.toISOString().slice(0, 10).replaceAll('-', '')
    fc.assert(
      fc.property(day, (date) => {
        const [filter] = filters({ created_at: eight(date) })
        if (filter?.kind !== 'range') throw new Error('a date gives a range')
        expect([filter.from, filter.to].map((at) => eight(new Date(at ?? Number.NaN)))).toEqual([
          eight(date),
          eight(date),
        ])
        expect((filter.to ?? 0) - (filter.from ?? 0)).toBe(86_399_999)
      }),
    )
  })
})

describe('filters', () => {
  test('filters on several fields all apply', () => {
    expect(filters({ status: 'approved', amount: '10..', test: 'false' })).toEqual([
      { kind: 'equals', field: 'status', value: 'approved' },
      { kind: 'range', field: 'amount', from: 1000, to: undefined },
      { kind: 'boolean', field: 'test', value: false },
    ])
  })

  for (const field of ['x;drop', 'secret', 'metadata', 'card_cvv', 'toString', 'constructor', ''])
    test(`filters on ${JSON.stringify(field)} are rejected`, () =>
      expect(refusal(() => filters({ [field]: '1' }))).toBe(UNKNOWN))

  test('may be sent as JSON text', () =>
    expect(read({ filter: '{"id":"5.."}' }).filters).toEqual(filters({ id: '5..' })))

  test('filters that are a list are rejected', () =>
    expect(refusal(() => read({ filter: ['x'] }))).toBe(UNKNOWN))

  test('are read or rejected with a catalogue error, whatever the text', () => {
    const value = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[0-9.*-]{0,30}$/),
      fc.double(),
      fc.constant(null),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(LISTED_FIELDS.transactions)),
        value,
        (field, sent: JsonValue) => {
          expect(['accepted', BAD]).toContain(refusal(() => filters({ [field]: sent })))
        },
      ),
    )
  })

  test('filters with many wildcards or digits are read or rejected', () => {
    for (const field of Object.keys(LISTED_FIELDS.transactions))
      for (const value of ['*a'.repeat(50_000), '9'.repeat(100_000), '.'.repeat(100_000)])
        expect(['accepted', BAD]).toContain(refusal(() => filters({ [field]: value })))
  })
})

describe('the fields of a list', () => {
  for (const [resource, fields, specified] of [
    [
      'transactions',
      LISTED_FIELDS.transactions,
      'amount card_holder card_number card_type created_at currency customer_id error_url href_token id payment_ref status stored_card_id subscription_id success_url template_id test transaction_type updated_at',
    ],
    [
      'stored cards',
      LISTED_FIELDS.stored_cards,
      'card_holder card_number card_type created_at currency customer_id expires id status test token updated_at',
    ],
  ] as const)
    test(`the fields of ${resource} are the specification's`, () =>
      expect(Object.keys(fields)).toEqual(specified.split(' ')))
})

describe('the Content-Range of a page', () => {
  for (const [offset, count, total, header] of [
    [0, 10, 173, 'items 1-10/173'],
    [15, 5, 173, 'items 16-20/173'],
    [170, 3, 173, 'items 171-173/173'],
    [0, 0, 0, 'items 0-0/0'],
    [500, 0, 173, 'items 0-0/173'],
  ] as const)
    test(`the Content-Range of ${count} rows from ${offset} of ${total} is ${header}`, () =>
      expect(formatContentRange(offset, count, total)).toBe(header))
})
