import { expect, test } from 'vitest'
import { entryAt, type StoryEntry } from '../../../../mock-gateway/serializers/story/entries.ts'
import { sequenceDiagram } from '../../../../mock-gateway/web/pages/sequence.ts'
import { textOf } from '../console/client.ts'

const START = Date.UTC(2026, 2, 14, 23, 59, 50)
const HOSTILE = `<img src=x onerror=alert(1)>"'`

const request = (at: number, label = 'POST /v1/transactions'): StoryEntry => ({
  ...entryAt(START + at, 'request', `Request: ${label}`, 'good'),
  arrow: { from: 'shop', to: 'gateway', label, result: '200' },
})

const diagramOf = (...entries: readonly StoryEntry[]) =>
  String(sequenceDiagram(entries, ({ id }) => `/requests/${id}`))

test('an arrow has its time since the start, its parties, label and result as text', () => {
  const html = diagramOf(request(0), request(1_500, 'GET /v1/transactions/1'))
  expect(textOf(html)).toContain('+0.0 s Shop to Gateway: POST /v1/transactions 200')
  expect(textOf(html)).toContain('+1.5 s Shop to Gateway: GET /v1/transactions/1 200')
  expect(html).toContain('<span class="good arrow f2t3 ltr">')
})

test('an arrow of an answer points to the left', () => {
  const answer: StoryEntry = {
    ...entryAt(START, '3-D Secure', 'The bank answered', 'good'),
    arrow: { from: 'bank', to: 'gateway', label: 'Answers 3-D Secure', result: 'authenticated' },
  }
  expect(diagramOf(answer)).toContain('<span class="good arrow f3t4 rtl">')
})

test('a gap in time is marked, with the date if the next entry is on another day', () => {
  const text = textOf(diagramOf(request(0), request(4_000, 'a'), request(99_000, 'b')))
  expect(text.match(/later/g)).toHaveLength(1)
  expect(text).toContain('1 min 35 s later, 2026-03-15')
})

test('steps inside the gateway are merged into the previous row, and repeated arrows are counted', () => {
  const created: StoryEntry = {
    ...entryAt(START, 'payment', 'The payment was created', 'good'),
    isPlumbing: true,
  }
  const html = diagramOf(request(0), created, request(1, 'a'), request(2, 'a'))
  expect(html.match(/<summary>/g)).toHaveLength(2)
  expect(textOf(html)).toContain('The payment was created')
  expect(textOf(html)).toContain('a ×2')
})

test('retries with one result are one row, whatever passed between them', () => {
  const attempt = (number: number, result: string): StoryEntry => ({
    ...entryAt(START + number * 60_000, 'webhook', `Attempt ${number}`, 'bad'),
    arrow: { from: 'gateway', to: 'receiver', label: `Webhook payment, attempt ${number}`, result },
  })
  const move = entryAt(START + 90_000, 'clock', 'The clock was changed: advance', 'off')
  const html = diagramOf(request(0), attempt(1, '500'), move, attempt(2, '500'), attempt(3, '200'))
  expect(textOf(html)).toContain('Webhook payment ×2 500')
  expect(textOf(html)).toContain('Webhook payment, attempt 3 200')
  expect(html.match(/<summary>/g)).toHaveLength(4)
})

test('an entry links to its details', () => {
  expect(diagramOf({ ...request(0), of: { what: 'requests', id: '7' } })).toContain(
    '<a href="/requests/7">',
  )
})

test('markup in an entry is text', () => {
  const html = diagramOf({
    ...request(0, HOSTILE),
    ...{ title: HOSTILE, says: HOSTILE, details: [{ name: HOSTILE, text: HOSTILE }] },
    of: { what: 'requests', id: HOSTILE },
    arrow: { from: 'shop', to: 'gateway', label: HOSTILE, result: HOSTILE },
  })
  expect(html).not.toMatch(/<img|'">/)
  expect(html.match(/&lt;img/g)?.length).toBeGreaterThan(6)
})
