import fc from 'fast-check'
import { at, type Document, part, type Schema } from '../../../mock-gateway/web/docs/contract.ts'

/** Any JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Returns the property names of a schema, including `allOf`, with pointers to their schemas. */
export function propertiesOf(contract: Document, pointer: string): ReadonlyMap<string, string> {
  const { value, pointer: here } = at<Schema>(contract, pointer)
  const inherited = (value.allOf ?? []).flatMap((_each, index) => [
    ...propertiesOf(contract, `${here}/allOf/${index}`),
  ])
  const own = Object.keys(value.properties ?? {}).map(
    (name) => [name, `${here}/properties${part(name)}`] as const,
  )
  return new Map([...inherited, ...own])
}

/** Creates a generator of values that a schema allows. */
export function validValue(contract: Document, pointer: string): fc.Arbitrary<Json> {
  const { value: schema, pointer: here } = at<Schema>(contract, pointer)
  if (Array.isArray(schema.examples)) return fc.constantFrom(...(schema.examples as Json[]))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as Json[]))
  if (Array.isArray(schema.oneOf))
    return fc.oneof(
      ...schema.oneOf.map((_each, index) => validValue(contract, `${here}/oneOf/${index}`)),
    )
  const [type] = [schema.type].flat()
  switch (type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: bound(schema.minimum, 1), max: bound(schema.maximum, 60) })
    case 'array':
      return fc.array(validValue(contract, `${here}/items`), { maxLength: 3 })
    case 'object':
      return validObject(contract, here)
    default:
      return validText(schema)
  }
}

function validObject(contract: Document, pointer: string): fc.Arbitrary<Json> {
  const properties = [...propertiesOf(contract, pointer)]
  if (properties.length === 0)
    return fc.constantFrom<Json>({ a: 1 }, { sek: '99.00' }, {}, { a: { b: ['c'] } })
  const fields = Object.fromEntries(
    properties.map(([name, where]) => [name, validValue(contract, where)]),
  )
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Json>
}

function validText({ pattern, format, maxLength }: Schema): fc.Arbitrary<string> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  if (format === 'uri')
    return fc.constantFrom('https://shop.example/a', 'https://shop.example/{{ id }}?a=b#c')
  if (format === 'date') return fc.constantFrom('2026-03-14', '2026-12-31', '2028-02-29')
  if (format === 'email') return fc.constantFrom('kim@shop.example')
  return fc.string({ minLength: 1, maxLength: Math.min(bound(maxLength, 20), 20) })
}

/** Creates a generator of values around the limits of a schema and the limits of the machine. */
export function boundaryValue(contract: Document, pointer: string): fc.Arbitrary<Json> {
  const { value: schema } = at<Schema>(contract, pointer)
  const numbers = [schema.minimum, schema.maximum].flatMap((limit) =>
    typeof limit === 'number' ? [limit - 1, limit, limit + 1] : [],
  )
  const lengths = [schema.minLength, schema.maxLength].flatMap((limit) =>
    typeof limit === 'number' ? [limit - 1, limit, limit + 1] : [],
  )
  const texts = lengths
    .filter((length) => length >= 0)
    .flatMap((length) => ['x'.repeat(length), '€'.repeat(length)])
  return fc.constantFrom<Json>(...numbers, ...texts, ...MACHINE_LIMITS)
}

const MACHINE_LIMITS: readonly Json[] = [
  ...[0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 31) - 1, 1e21, 1.5],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '1e309',
    '90071992547409.91',
    '90071992547409.92',
    '0.00',
    '-0.01',
  ],
  ...[
    '00010101',
    '99991231',
    '0001-01-01',
    '9999-12-31',
    '2026-02-30',
    '275760-09-13',
    '..',
    '1..',
    '9..1',
    '',
  ],
]

/** Values that only attackers or broken clients send. */
export const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    ...[
      '\0',
      'a\0b',
      '\ud800',
      '\u202e',
      '\ufeff',
      '\r\nX-Evil: 1',
      '١٢',
      'ﬀ',
      '👩‍👩‍👧‍👦',
      'İ',
      '\u2028',
      '\x1b[31m',
    ],
    ...[
      "' OR 1=1--",
      '1;drop table transactions',
      '%',
      '_',
      '\\',
      '*'.repeat(50),
      'id;select 1',
      '{{ 7 | x }}',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      'null',
      'undefined',
      'NaN',
      '[object Object]',
      '{"a":',
      '[[[',
      '{}',
      '[]',
    ],
    ...[
      '../../etc/passwd',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '<script>',
      '%00',
      '%FF',
      'eyJhIjoxfQ==',
    ],
    ...[
      null,
      true,
      [],
      {},
      [null],
      [[]],
      { a: null },
      ['1.00'],
      { $ne: '' },
      [[[[[1]]]]],
      [{ a: [{ b: {} }] }],
    ],
    ...[
      'x'.repeat(300),
      'x'.repeat(5_000),
      '9'.repeat(400),
      '{"service_instructions":{"fail_as_code":133}}',
    ],
    ...[
      '{"__proto__":{"x":1}}',
      '{"a":1,"a":2}',
      '{"a":"\\u0000"}',
      '{"a":"\\ud800"}',
      `${'['.repeat(20)}`,
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.double().map(String),
  fc.bigInt().map(String),
)

const bound = (limit: unknown, otherwise: number): number =>
  typeof limit === 'number' ? limit : otherwise

const HEADERS = [
  ...[
    'Origin: null',
    'Origin: https://elsewhere.example',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-origin',
  ],
  ...['Accept: text/html', 'Accept-Language: sv', 'Accept-Language: en;q=0.1, *', 'Referer: x'],
  ...[
    'If-None-Match: *',
    'Range: bytes=0-4',
    'User-Agent: Mozilla/5.0',
    'X-Forwarded-For: 203.0.113.7',
    'Cookie: a=b',
  ],
]

/** Header lines, usually none. */
export const someHeaders: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.subarray(HEADERS, { minLength: 1, maxLength: 2 }) },
)
