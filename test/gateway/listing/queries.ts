import type { Kind, Kinds, ListedRow, Query } from './oracle.ts'

const PATTERNS = [
  'ord*',
  '*er',
  'ord*er',
  '*',
  '**',
  '*1*',
  'ord%er',
  'ord%*',
  'ord_er',
  'ord_*',
  'ord?er',
  'ord?*',
  'ord[*',
  'ord[e]r',
  '*[e]*',
  'ord\\*',
  'ord\\er',
  '*\\*',
  '%*',
  '_*',
  '?*',
  '\\*',
  'ORDER*',
  'order-1',
  'Order-1',
  'å*',
  'Å*',
  '*ä*',
  'a*b',
  '*😀*',
  "*'*",
  "'; drop table transactions; --",
  "' or '1'='1",
  '* order*',
  'nothing like it',
  'a*b*c*d*e',
]

const WORDS = [
  'visa',
  'VISA',
  '*card',
  'sek',
  'SEK',
  's*',
  'approved',
  'capture pending',
  '*pending',
  'credit_card',
  'c_*',
  'x',
]

/** Values for filters by kind of field, in addition to values of existing rows. */
const VALUES: Readonly<Record<Kind, readonly string[]>> = {
  text: PATTERNS,
  word: WORDS,
  token: ['Token0-a-1', 'token0-a-1', 'Token0', 'Token1-a-1', '%', 'Token0-A-_'],
  flag: ['true', 'false', '1', '0', 't*', 'f*se', '*e', '*'],
  number: [
    '1',
    '2',
    '10',
    '2..',
    '..2',
    '2..10',
    '-5',
    '-5..1',
    '0',
    '9007199254740991',
    '9007199254740991..',
    '3..9',
  ],
  money: [
    '10.50',
    '1050',
    '0',
    '0..1',
    '0.01..10.50',
    '10.50..',
    '..0.99',
    '10.5',
    '999999999.99',
    '10.52..',
  ],
  date: [
    '20260314',
    '20260315',
    '20260314..20260315',
    '20260101..',
    '..20251231',
    '20240229',
    '20240228..20240301',
    '20300101',
  ],
}

/**
 * Returns list calls that filter by one field, with values of its kind and values of existing rows.
 */
export function filterQueries(kinds: Kinds, rows: readonly ListedRow[]): Query[] {
  return Object.entries(kinds).flatMap(([field, kind]) => {
    const kept = rows.map((row) => row[field]).filter((value) => value !== null)
    const asKept =
      kind === 'text' || kind === 'word'
        ? [...new Set(kept)].filter((text) => !isPattern(text))
        : []
    return [...VALUES[kind], ...asKept.map(String)].map((value) => ({
      [`filter[${field}]`]: value,
      limit: '1000',
    }))
  })
}

const isPattern = (text: unknown) => String(text).includes('*')

/**
 * Returns list calls that are ordered by each field, ascending and descending.
 */
export const orderQueries = (kinds: Kinds): Query[] =>
  Object.keys(kinds).flatMap((field) =>
    ['', ':asc', ':ASC', ':desc', ':Desc'].map((way) => ({ order_by: field + way, limit: '1000' })),
  )

/** Returns values of a kind, for random calls. */
export const valuesOf = (kind: Kind): readonly string[] => VALUES[kind]
