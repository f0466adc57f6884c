import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../mock-gateway/domain/json.ts'
import {
  mergeMetadata,
  readFailureInstructions,
} from '../../../../mock-gateway/domain/order/metadata.ts'
import { refusal } from '../refusal.ts'

describe('merging metadata', () => {
  const cases: readonly (readonly [string, JsonObject | null, JsonObject, JsonObject])[] = [
    ['keeps existing values', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['replaces a value', { a: 1 }, { a: 'x' }, { a: 'x' }],
    ['replaces a value by null', { a: 1 }, { a: null }, { a: null }],
    ['merges objects', { a: { b: 1, c: 2 } }, { a: { c: 3, d: 4 } }, { a: { b: 1, c: 3, d: 4 } }],
    [
      'merges deeper objects',
      { a: { b: { c: 1 } } },
      { a: { b: { d: 2 } } },
      { a: { b: { c: 1, d: 2 } } },
    ],
    ['replaces lists', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['replaces an object by a list', { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    ['replaces a list by an object', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['starts from nothing', null, { a: 1 }, { a: 1 }],
    ['knows no inherited keys', {}, { toString: { a: 1 } }, { toString: { a: 1 } }],
  ]

  for (const [title, existing, added, merged] of cases)
    test(title, () => expect(plain(mergeMetadata(existing, added))).toEqual(merged))

  test('keeps the order of keys, with existing keys before new ones', () => {
    expect(Object.keys(mergeMetadata({ z: 1, a: 1 }, { m: 1, z: 2 }))).toEqual(['z', 'a', 'm'])
  })

  test('stops when the merged text is longer than 64 KB', () => {
    const grown = mergeMetadata(null, { a: 'x'.repeat(50_000) })
    expect(refusal(() => mergeMetadata(grown, { b: 'x'.repeat(50_000) }))).toBe(
      'errors.metadata.invalid',
    )
    expect(mergeMetadata(grown, { a: 'x'.repeat(65_536 - '{"a":""}'.length) })).toBeDefined()
    expect(refusal(() => mergeMetadata(grown, { a: 'x'.repeat(65_537 - '{"a":""}'.length) }))).toBe(
      'errors.metadata.invalid',
    )
  })

  for (const key of ['__proto__', 'constructor', 'prototype'])
    test(`treats ${key} like any other name, at any depth`, () => {
      const one = JSON.parse(`{"${key}":{"a":1},"b":[{"${key}":{"polluted":true}}]}`)
      const other = JSON.parse(`{"${key}":{"c":{"${key}":2}}}`)
      expect(JSON.stringify(mergeMetadata(one, other))).toBe(
        `{"${key}":{"a":1,"c":{"${key}":2}},"b":[{"${key}":{"polluted":true}}]}`,
      )
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })

  for (const [levels, outcome] of [
    [16, 'accepted'],
    [17, 'errors.metadata.invalid'],
    [100_000, 'errors.metadata.invalid'],
  ] as const)
    test(`metadata of ${levels} levels is ${outcome}`, () =>
      expect(refusal(() => mergeMetadata(null, nested(levels)))).toBe(outcome))

  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  const { metadata } = fc.letrec<{ value: JsonValue; metadata: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(scalar),
      tie('metadata'),
    ),
    metadata: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString', 'x'), tie('value'), {
      noNullPrototype: true,
    }),
  }))

  test('merging the same metadata twice has the same result as once', () => {
    fc.assert(
      fc.property(metadata, metadata, (existing, added) => {
        const once = mergeMetadata(existing, added)
        expect(mergeMetadata(once, added)).toEqual(once)
      }),
    )
  })

  test('merging nothing changes nothing', () => {
    fc.assert(
      fc.property(metadata, (existing) => {
        expect(plain(mergeMetadata(existing, {}))).toEqual(existing)
      }),
    )
  })

  test('adds every new scalar, keeps every old key, and does not change its arguments or Object.prototype', () => {
    fc.assert(
      fc.property(metadata, metadata, (existing, added) => {
        const before = JSON.stringify([
          existing,
          added,
          Object.getOwnPropertyNames(Object.prototype),
        ])
        const merged = mergeMetadata(existing, added)
        expect(Object.keys(merged).sort()).toEqual(
          [...new Set(Object.keys({ ...existing, ...added }))].sort(),
        )
        for (const [key, value] of Object.entries(added))
          if (typeof value !== 'object') expect(merged[key]).toBe(value)
        expect(
          JSON.stringify([existing, added, Object.getOwnPropertyNames(Object.prototype)]),
        ).toBe(before)
      }),
    )
  })

  test('makes objects without a prototype on every level', () => {
    fc.assert(
      fc.property(metadata, metadata, (existing, added) => {
        expect(prototypes(mergeMetadata(existing, added))).toEqual([])
      }),
    )
  })
})

/** Returns a copy with ordinary prototypes, like the literals in a test. */
const plain = (value: JsonObject): unknown => JSON.parse(JSON.stringify(value))

const nested = (levels: number): JsonObject =>
  Array.from({ length: levels - 1 }).reduce<JsonObject>((inner) => ({ a: inner }), { a: 1 })

/** Returns the objects inside a value that have a prototype. */
const prototypes = (value: JsonValue): readonly JsonValue[] => {
  if (typeof value !== 'object' || value === null) return []
  const here = !Array.isArray(value) && Object.getPrototypeOf(value) !== null ? [value] : []
  return [...here, ...Object.values(value).flatMap(prototypes)]
}

describe('service instructions', () => {
  for (const [metadata, instructions] of [
    [null, {}],
    [{}, {}],
    [{ service_instructions: 'errors.generic' }, {}],
    [{ service_instructions: ['errors.generic'] }, {}],
    [{ service_instructions: {} }, {}],
    [{ service_instructions: { fail_as_code: '', fail_as_message: ' ' } }, {}],
    [{ service_instructions: { fail_as_code: { a: 1 }, fail_as_message: [1] } }, {}],
    [
      { service_instructions: { fail_as_code: 'errors.generic' } },
      { failAsCode: 'errors.generic' },
    ],
    [{ service_instructions: { fail_as_code: 129 } }, { failAsCode: '129' }],
    [{ service_instructions: { fail_as_message: 'No' } }, { failAsMessage: 'No' }],
    [
      { service_instructions: { fail_as_code: '129', fail_as_message: 'No' } },
      { failAsCode: '129', failAsMessage: 'No' },
    ],
  ] as const satisfies readonly (readonly [JsonObject | null, object])[])
    test(`the instructions in ${JSON.stringify(metadata)} are ${JSON.stringify(instructions)}`, () =>
      expect(readFailureInstructions(metadata)).toEqual(instructions))
})
