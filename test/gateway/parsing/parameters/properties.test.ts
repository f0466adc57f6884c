import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../../mock-gateway/domain/errors/errors.ts'
import { list, object } from '../../../../mock-gateway/parsing/parameters/parameters.ts'
import {
  type RawRequest,
  readParameters,
} from '../../../../mock-gateway/parsing/parameters/read.ts'

type Nested = string | Nested[] | { [key: string]: Nested }

const plainText = fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => !text.includes('\0'))
const key = fc
  .oneof(
    plainText,
    fc.nat(20).map(String),
    fc.constantFrom('__proto__', 'constructor', 'prototype'),
  )
  .filter((text) => /^[^[\]"'][^[\]]*$/.test(text))

/** Nested objects that a form can contain: without empty values, and with lists of texts only. */
const formObject: fc.Arbitrary<{ [key: string]: Nested }> = fc
  .letrec<{ tree: { [key: string]: Nested } }>((tie) => ({
    tree: fc.dictionary(
      key,
      fc.oneof(
        { depthSize: 'small' },
        plainText,
        fc.array(plainText, { minLength: 1, maxLength: 3 }),
        tie('tree'),
      ),
      { minKeys: 1, maxKeys: 4, depthIdentifier: 'tree' },
    ),
  }))
  .tree.filter((tree) => depthOf(tree) <= 16)

const number = fc
  .oneof(fc.maxSafeInteger(), fc.double({ min: -1e6, max: 1e6, noNaN: true }))
  .map((value) => value + 0)
const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    plainText,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value
const jsonObject = fc
  .dictionary(key, jsonValue, { maxKeys: 5 })
  .filter((tree) => depthOf(tree) <= 16)

const raw = (
  contentType: string | undefined,
  body: string | Uint8Array,
  query = '',
): RawRequest => ({ query, contentType, contentEncoding: undefined, body: Buffer.from(body) })
const FORM = 'application/x-www-form-urlencoded'

test('nested objects in brackets, with plain or quoted keys, are read unchanged', () => {
  fc.assert(
    fc.property(formObject, fc.constantFrom('', '"', "'"), (tree, quote) => {
      const fields = brackets('metadata', tree, quote).map((pair) =>
        pair.map(encodeURIComponent).join('='),
      )
      expect(readParameters(raw(FORM, fields.join('&')), { parameters: 1e6 })).toEqual({
        metadata: withLists(tree),
      })
    }),
    { numRuns: 500 },
  )
})

test('any JSON object is read back unchanged from a JSON body and from every text spelling', () => {
  fc.assert(
    fc.property(jsonObject, (tree) => {
      const json = JSON.stringify(tree)
      const expected = JSON.parse(json)
      const forms = [json, encodeURIComponent(json), Buffer.from(json).toString('base64')]
      const bodies = forms.map((text) => raw(FORM, `metadata=${encodeURIComponent(text)}`))
      for (const sent of [raw('application/json', `{"metadata":${json}}`), ...bodies])
        expect(object(readParameters(sent), 'metadata', 'errors.metadata.invalid')).toEqual(
          expected,
        )
    }),
    { numRuns: 500 },
  )
})

test('a list of objects with indexes, as PHP writes it, is read as a list', () => {
  fc.assert(
    fc.property(fc.array(formObject, { minLength: 1, maxLength: 12 }), (items) => {
      const fields = items.flatMap((item, index) => brackets(`items[${index}]`, item, ''))
      const query = fields.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
      const parameters = readParameters(raw(undefined, '', query), { parameters: 1e6, depth: 20 })
      expect(list(parameters, 'items', 'errors.items.not_array')).toEqual(items.map(listed))
    }),
  )
})

const type = fc.constantFrom(
  undefined,
  FORM,
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=b',
)
const bytes = fc.uint8Array({ maxLength: 200 })
const PIECES =
  '& = [ ] " \' { } , : + % %5B %00 \\ \\u \\ud800 \0 a metadata items 0 -1 1e9 __proto__ constructor prototype polluted true null å --b -- \r\n Content-Disposition: form-data; name=" filename'
const pieces = fc
  .array(fc.constantFrom(...PIECES.split(' '), ' '), { maxLength: 60 })
  .map((parts) => new Uint8Array(Buffer.from(parts.join(''))))

test('random input is read or rejected, and never reaches a prototype', () => {
  fc.assert(
    fc.property(
      type,
      fc.oneof(bytes, pieces),
      fc.oneof(bytes, pieces),
      (contentType, body, query) => {
        const sent = raw(contentType, body, Buffer.from(query).toString('latin1'))
        try {
          const parameters = readParameters(sent)
          expect(prototypesIn(parameters)).toEqual([])
          for (const name of Object.keys(parameters))
            object(parameters, name, 'errors.metadata.invalid')
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
        }
        expect(Reflect.ownKeys(Object.prototype)).toEqual(PROTOTYPE_KEYS)
      },
    ),
    { numRuns: 5000 },
  )
})

const PROTOTYPE_KEYS = Reflect.ownKeys(Object.prototype)

function brackets(name: string, value: Nested, quote: string): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item) => brackets(`${name}[]`, item, quote))
  return Object.entries(value).flatMap(([key, item]) => {
    // A key that contains this quote cannot be quoted with it.
    const mark = key.includes(quote) ? '' : quote
    return brackets(`${name}[${mark}${key}${mark}]`, item, quote)
  })
}

/** Converts nested objects whose keys are 0, 1, 2 and so on into lists. */
function withLists(tree: { [key: string]: Nested }): { [key: string]: Nested } {
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, listed(value)]))
}

function listed(value: Nested): Nested {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(listed)
  const inner = withLists(value)
  return Object.keys(inner).every((key, index) => key === String(index))
    ? Object.values(inner)
    : inner
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** Returns every prototype except null and the prototype of lists. */
function prototypesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? null : Object.getPrototypeOf(value)
  return [own, ...Object.values(value).flatMap(prototypesIn)].filter(
    (prototype) => prototype !== null,
  )
}
