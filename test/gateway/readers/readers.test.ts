import { describe, expect, test } from 'vitest'
import { readLongText } from '../../helpers/long-text.ts'
import { type Reader, readers } from './found.ts'
import { EXCUSED, GIVEN, GIVEN_BY_NAME, PARTS } from './given.ts'

const excused = new Set(Object.values(EXCUSED).flat())
const all = readers()
const plain = all.filter(
  ({ name, parameters }) => !excused.has(name) && !parameters.some(({ type }) => PARTS.test(type)),
)

/** Parts that the texts repeat. Each is half of a pattern that a reader searches for. */
const UNITS = [
  ...[
    '4111111111111111 ',
    '0.',
    '4 ',
    '0',
    '9',
    '-',
    'a',
    'A',
    'a@',
    '@a.',
    'a.',
    '.',
    ':',
    '1:',
    '/',
    '//',
    '*a',
    '?',
  ],
  ...[
    '[',
    'a[',
    '[a]',
    ']',
    '{',
    '{{',
    '{%',
    '{{ a }}',
    '{"a":',
    '"',
    '\\',
    '\\"',
    "'",
    '`',
    '%',
    '%41',
    '%7B',
    '=',
    '&',
  ],
  ...[
    'a=1&',
    ';',
    '; a="',
    ';a=',
    ',',
    '|',
    ' ',
    '\t',
    '\r\n',
    '\n',
    '<',
    '<a ',
    '<script>',
    '<!--',
    '-->',
    '--x\r\n',
  ],
  ...[
    '&#1;',
    '&amp',
    '+',
    '\u00e5',
    'a\u0301',
    '\u{1f600}',
    '\u200b',
    'aaaa\ufdfa',
    'Z=',
    '__proto__.',
    '1e',
    '[1,',
  ],
]

/** Valid members of a request, so that the parts after them are read as well. */
const GOOD: Readonly<Record<string, string>> = {
  amount: '10.00',
  currency: 'sek',
  payment_ref: 'A1',
  card_number: '4111111111111111',
  card_holder: 'Kim Berg',
  card_expiry: '1230',
  card_cvv: '200',
  test: 'true',
}

type Call = (...given: readonly unknown[]) => unknown
const isCall = (value: unknown): value is Call => typeof value === 'function'

async function callOf({ path, exported }: Reader): Promise<Call> {
  const module: Readonly<Record<string, unknown>> = await import(path)
  const call = module[exported]
  if (isCall(call)) return call
  throw new TypeError(`${path} has no function ${exported}`)
}

/**
 * Calls a reader. A rejection counts as a result; an unexpected error, or an error because of the
 * test's arguments, fails the test.
 */
function reading(call: Call, given: readonly unknown[]): void {
  try {
    call(...given)
  } catch (error) {
    const isFault =
      error instanceof RangeError || (error instanceof TypeError && !('code' in error))
    if (isFault) throw error
  }
}

const isRequest = (type: string) => type.startsWith('JsonObject')

const given = ({ name, parameters }: Reader, text: string, sent: object) =>
  GIVEN_BY_NAME[name]?.(text) ??
  parameters.map(({ type, word }) => word ?? (isRequest(type) ? sent : GIVEN[type]?.(text)))

/** Returns the members of a request that a reader reads; at least one. */
function membersOf(reader: Reader, call: Call): readonly string[] {
  if (GIVEN_BY_NAME[reader.name] || !reader.parameters.some(({ type }) => isRequest(type)))
    return ['']
  const members = new Set<string>(['metadata'])
  const sent = new Proxy(GOOD, {
    get(target, name) {
      if (typeof name === 'string') members.add(name)
      return Reflect.get(target, name)
    },
  })
  reading(call, given(reader, 'a', sent))
  return [...members]
}

test('every function that reads a text has a test input', () => {
  expect(all.length).toBeGreaterThan(200)
  const unknown = plain.flatMap(({ name, parameters }) =>
    parameters
      .filter(
        ({ type, word }) =>
          !GIVEN_BY_NAME[name] && word === undefined && !isRequest(type) && !GIVEN[type],
      )
      .map(({ type }) => `${name}: ${type} is not in GIVEN`),
  )
  expect(unknown).toEqual([])
})

test('every function in the list of test inputs exists', () => {
  const names = new Set(all.map(({ name }) => name))
  expect([...excused, ...Object.keys(GIVEN_BY_NAME)].filter((name) => !names.has(name))).toEqual([])
})

describe('each function that reads a text handles 256 KB of any repeated text in linear time:', () => {
  test.each(plain)('$name', async (reader) => {
    const call = await callOf(reader)
    const members = membersOf(reader, call)
    // Readers of single texts are tested with all units. Readers of a whole request call them, so a
    // few units are enough there.
    const units = members[0] === '' ? UNITS : UNITS.slice(0, 3)
    for (const member of members)
      for (const unit of units)
        readLongText(
          (text) => reading(call, given(reader, text, { ...GOOD, [member]: text })),
          unit,
        )
  })
})
