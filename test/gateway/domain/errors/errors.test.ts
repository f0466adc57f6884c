import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../../mock-gateway/domain/errors/catalogue.ts'
import {
  type CatalogueEntry,
  findEntryByCode,
  findEntryByName,
} from '../../../../mock-gateway/domain/errors/errors.ts'

/** Error codes and names in the order of the specification, as `code name`. */
const SPECIFIED = readFileSync('docs/inside/specification.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, prefix = 'errors.'] = /all with prefix `([\w.]+)`:/.exec(line) ?? []
    const isList =
      /^(?:[\w -]+(?:, all with prefix `[\w.]+`)?: )?\d+ [\w.]+(?: \([^)]*\))?; \d+ /.test(line)
    const pairs = isList ? line.matchAll(/(?:^|[:;] )(\d+) (?:errors\.)?([\w.]*\w)/g) : []
    return [...pairs].map(([, code, name]) => `${code} ${prefix}${name}`)
  })

const rows: readonly CatalogueEntry[] = CATALOGUE
const valuesTwice = (values: readonly (string | number)[]) =>
  values.filter((value, index) => values.indexOf(value) !== index)

describe('the error catalogue', () => {
  test('holds the 309 errors of the specification in its order, and no others', () => {
    expect(SPECIFIED).toHaveLength(309)
    expect(rows.map(({ code, name }) => `${code} ${name}`)).toEqual(SPECIFIED)
  })

  test('has unique codes and names, except one code with two names and one name with two codes', () => {
    expect(valuesTwice(rows.map((row) => row.code))).toEqual([1290])
    expect(valuesTwice(rows.map((row) => row.name))).toEqual([
      'errors.item.missing_or_too_long.description',
    ])
  })

  test.each(['en', 'sv'] as const)(
    'describes every error in %s with its own text, without stray blanks',
    (locale) => {
      const texts = rows.map((row) => row[locale])
      expect(texts.filter((text) => !/^\S+( \S+)*$/.test(text) || text.endsWith('.'))).toEqual([])
      expect(valuesTwice(texts)).toEqual([findEntryByCode(2301)?.[locale]])
    },
  )

  test.each([
    [401, [138, 182]],
    [403, [207]],
    [404, [103, 104, 128, 135, 137, 141, 142, 1511, 1602, 196, 204]],
  ] as const)(
    'has status %i for a few codes, and status 400 for all other codes',
    (http, codes) => {
      expect(new Set(rows.filter((row) => row.http === http).map((row) => row.code))).toEqual(
        new Set(codes),
      )
    },
  )
})

describe('a look-up of an error', () => {
  test('finds every row by its name and its code, and the first row if two rows share them', () => {
    const firstWith = (key: 'name' | 'code', value: string | number) =>
      rows.find((row) => row[key] === value)
    for (const row of rows) {
      expect(findEntryByName(row.name)).toBe(firstWith('name', row.name))
      expect(findEntryByCode(row.code)).toBe(firstWith('code', row.code))
    }
  })

  test.each(['', 'errors.', 'payment.declined', 'Errors.payment.declined', '129', 'constructor'])(
    'finds no error named "%s"',
    (name) => {
      expect(findEntryByName(name)).toBeUndefined()
    },
  )

  test.each([0, 114, 210, 272, 129.5, Number.NaN])('finds no error with code %d', (code) => {
    expect(findEntryByCode(code)).toBeUndefined()
  })
})

test.each([
  [109, 'sv', 'Beloppet är fel; det ska se ut som 10.00'],
  [128, 'en', 'Transaction not found'],
  [128, 'sv', 'Transaktionen hittades inte'],
  [138, 'en', 'Unauthorized'],
  [138, 'sv', 'Ej behörig'],
] as const)('the body of an error with error %i in %s has the text "%s"', (code, locale, text) => {
  expect(findEntryByCode(code)?.[locale]).toBe(text)
})
