/**
 * Expected answers of list calls, calculated in memory in the simplest way. This file shares no
 * code with the gateway's lists.
 */

/**
 * Kind of comparison of a field. `text` is case-sensitive, `word` is not, and `token` has no
 * wildcards.
 */
export type Kind = 'text' | 'word' | 'token' | 'flag' | 'number' | 'money' | 'date'

/** Kinds by field, in the order of the specification. */
export type Kinds = Readonly<Record<string, Kind>>

/**
 * Row as stored, with amounts in hundredths, times in milliseconds, and null for missing values.
 */
export type ListedRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** Valid parameters of a list call. */
export type Query = Readonly<Record<string, string>>

export interface ExpectedPage {
  readonly ids: readonly number[]
  readonly contentRange: string
}

const DAY = 24 * 60 * 60 * 1000

export function expectedPage(rows: readonly ListedRow[], kinds: Kinds, query: Query): ExpectedPage {
  const { limit = '10', offset = '0', start_id, order_by = 'id:desc' } = query
  const [field = '', direction = 'asc'] = order_by.toLowerCase().split(':')
  const sign = direction === 'desc' ? -1 : 1
  const whole = rows
    .filter((row) => start_id === undefined || sign * (row.id - Number(start_id)) >= 0)
    .filter((row) =>
      Object.entries(query).every(([name, value]) => {
        const filtered = /^filter\[(.*)\]$/.exec(name)?.[1]
        return filtered === undefined || fits(row[filtered], kinds[filtered], value)
      }),
    )
    .sort((a, b) => sign * (compare(a[field], b[field]) || a.id - b.id))
  const page = whole.slice(Number(offset), Number(offset) + Number(limit))
  const slice = page.length === 0 ? '0-0' : `${Number(offset) + 1}-${Number(offset) + page.length}`
  return { ids: page.map(({ id }) => id), contentRange: `items ${slice}/${whole.length}` }
}

function fits(kept: unknown, kind: Kind | undefined, asked: string): boolean {
  if (kept === null) return false
  switch (kind) {
    case 'text':
      return matches(String(kept), asked)
    case 'word':
      return matches(String(kept), asked.toLowerCase())
    case 'token':
      return kept === asked
    case 'flag':
      return (kept ? ['true', '1'] : ['false', '0']).some((word) => matches(word, asked))
    case 'number':
      return isBetween(kept, asked, Number, 0)
    case 'money':
      return isBetween(kept, asked, (text) => Math.round(Number(text) * 100), 0)
    case 'date':
      return isBetween(kept, asked, dayBegin, DAY - 1)
    case undefined:
      throw new RangeError('The oracle does not know this field')
  }
}

function matches(text: string, pattern: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return matches(text, pattern.slice(1)) || (text !== '' && matches(text.slice(1), pattern))
  return text[0] === pattern[0] && matches(text.slice(1), pattern.slice(1))
}

/**
 * Returns true if a value is in a range.
 * @param span length of the bound that is included: for a date, the whole day
 */
function isBetween(
  kept: unknown,
  asked: string,
  read: (text: string) => number,
  span: number,
): boolean {
  const [from = '', to = ''] = asked.includes('..') ? asked.split('..') : [asked, asked]
  const value = Number(kept)
  return (from === '' || value >= read(from)) && (to === '' || value <= read(to) + span)
}

const dayBegin = (text: string) =>
  Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6)))

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
