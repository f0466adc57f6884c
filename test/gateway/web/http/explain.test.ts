import { readdirSync, readFileSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { findClientAddress } from '../../../../mock-gateway/web/http/login.ts'
import { explainAlso } from '../../../../mock-gateway/web/http/refuse.ts'

/** Returns the header after these notes were added one after the other. */
function explained(...notes: string[]) {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  for (const note of notes) explainAlso(response, note)
  return response.getHeader('Mondido-Explain')
}

test.each([
  ['nothing', [], undefined],
  ['one note', ['A note.'], 'A note.'],
  ['several', ['A note.', 'Another.'], 'A note. Another.'],
  [
    'characters that headers cannot contain',
    ['line\r\nSet-Cookie: x', 'Åsa 漢 \ud800'],
    'line%0D%0ASet-Cookie: x %C3%85sa %E6%BC%A2 %EF%BF%BD',
  ],
  ['too much', ['x'.repeat(900), 'y'.repeat(900)], `${'x'.repeat(900)} ${'y'.repeat(99)}`],
])('the header has its expected value for %s', (_what, notes, header) =>
  expect(explained(...notes)).toBe(header),
)

test('every explanation in the sources ends as a sentence', () => {
  const sources = new URL('../../../../mock-gateway/', import.meta.url)
  const explanations = readdirSync(sources, { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('dist'))
    .flatMap((path) => [
      ...readFileSync(new URL(path, sources), 'utf8').matchAll(/\bexplain:\s*(['"`])(.+)\1/g),
    ])
    .map(([, , text = '']) => text)
  expect(explanations.length).toBeGreaterThan(100)
  expect(explanations.filter((text) => !/[.?}]$/.test(text))).toEqual([])
})

const of = (remoteAddress: string | undefined) =>
  findClientAddress({ socket: { remoteAddress } } as never)

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, ''],
])('a client at %s is counted as %s', (remote, address) => expect(of(remote)).toBe(address))
