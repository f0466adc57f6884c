import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { explainAlso } from '../../../../mock-gateway/web/http/refuse.ts'

/** Returns the header after these notes were added one after the other. */
function explained(...notes: string[]) {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  for (const note of notes) explainAlso(response, note)
  return response.getHeader('Mondido-Explain')
}

test.each([
  ['nothing', [], undefined],
  ['one note', ['a note'], 'a note'],
  ['several', ['a note', 'another'], 'a note; another'],
  [
    'characters that headers cannot contain',
    ['line\r\nSet-Cookie: x', 'Åsa 漢 \ud800'],
    'line%0D%0ASet-Cookie: x; %C3%85sa %E6%BC%A2 %EF%BF%BD',
  ],
  ['too much', ['x'.repeat(900), 'y'.repeat(900)], `${'x'.repeat(900)}; ${'y'.repeat(98)}`],
])('the header has its expected value for %s', (_what, notes, header) =>
  expect(explained(...notes)).toBe(header),
)
