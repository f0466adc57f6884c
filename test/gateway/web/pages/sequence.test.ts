import { expect, test } from 'vitest'
import {
  createArrow,
  createEntry,
  type StoryEntry,
} from '../../../../mock-gateway/serializers/story/entries.ts'
import { renderSequenceDiagram } from '../../../../mock-gateway/web/pages/sequence.ts'
import { textOf } from '../console/client.ts'

const NAMES = { payer: 'Kim Berg', shop: 'shop.example', gateway: 'merchant 1', bank: 'simulated' }

const call = (label: string, more: Partial<StoryEntry> = {}) =>
  createEntry(0, 'request', label, 'good', {
    arrow: createArrow('payer', 'gateway', label, '200'),
    ...more,
  })
const back = call('Returns from the bank', { phase: '3-D Secure' })
const bank = createEntry(0, 'bank', 'Bank', 'bad', {
  phase: 'Authorisation',
  arrow: createArrow('gateway', 'bank', 'Requests the payment', 'declined'),
})
const code = createEntry(0, '3-D Secure', 'Code', 'off', { phase: '3-D Secure' })
const told = createEntry(0, 'webhook', 'Webhook for the shop', 'waiting', {
  phase: 'Result',
  isPlumbing: true,
})
const attempt = (number: number, tone: StoryEntry['tone'], note: string) =>
  createEntry(0, 'webhook', `Attempt ${number}`, tone, {
    phase: 'Result',
    arrow: createArrow('gateway', 'receiver', `Webhook, attempt ${number}`, '500', note),
  })

const phasesOf = (entries: readonly StoryEntry[]) =>
  [
    ...String(renderSequenceDiagram({ entries, names: NAMES })).matchAll(/class="phase">(\S+) /g),
  ].map(([, name]) => name)

test('a payment has phases in order, and another attempt of the payer starts them again', () => {
  const first = [call('Creates'), call('Submits'), bank, told, call('Opens the page again')]
  expect(phasesOf(first)).toEqual(['Order', 'Authorisation', 'Result'])
  expect(phasesOf([...first, call('Submits'), code, back, bank, told])).toEqual([
    ...['Order', 'Authorisation', 'Result'],
    ...['Order', '3-D', 'Authorisation', 'Result'],
  ])
  // The library runs 3-D Secure before it sends the order.
  expect(phasesOf([code, call('Asks for the status'), call('Creates'), bank])).toEqual([
    ...['3-D', 'Order', 'Authorisation'],
  ])
})

test('a row has the time since the first event, and after an hour the time of the day', () => {
  const entries = [0, 400, 84_000, 3_600_000].map((at) => ({ ...call(`Call ${at}`), at }))
  const times = [
    ...String(renderSequenceDiagram({ entries, names: NAMES }, undefined, true)).matchAll(
      />([^<]+)<\/time>/g,
    ),
  ]
  expect(times.map(([, text]) => text)).toEqual(['+0.0 s', '+0.4 s', '+1:24', '01:00:00'])
})

test('the time at the bank is known after the answer of the bank', () => {
  const opened = { ...code, at: 21_000 }
  const answer = createEntry(21_500, '3-D Secure', 'Answer', 'good', {
    phase: '3-D Secure',
    arrow: createArrow('bank', 'gateway', 'Answers 3-D Secure'),
  })
  const text = (entries: readonly StoryEntry[]) =>
    textOf(String(renderSequenceDiagram({ entries, names: NAMES })))
  expect(text([code, opened])).not.toContain('at the bank')
  expect(text([code, opened, answer])).toContain('3-D Secure 21 s at the bank')
})

test('equal attempts are one row with the result of the last, and a pending webhook is a step', () => {
  const rows = (entries: readonly StoryEntry[]) =>
    textOf(String(renderSequenceDiagram({ entries, names: NAMES })))
  expect(rows([bank, told])).toContain('Result +0.0 s Webhook for the shop')
  const all = rows([bank, told, attempt(1, 'waiting', 'in 2 ms'), attempt(2, 'bad', 'and failed')])
  expect(all).toContain('Gateway to shop Webhook ×2 500 and failed')
})

test('in the console the row that explains the result is open, with the last of equal attempts', () => {
  const open = (entries: readonly StoryEntry[]) => {
    const diagram = String(renderSequenceDiagram({ entries, names: NAMES }, () => '/page'))
    return [...diagram.matchAll(/<details[^>]* open>(.*?)<\/details>/gs)].map(([row]) =>
      textOf(row),
    )
  }
  const attempts = [attempt(1, 'waiting', ''), attempt(2, 'waiting', 'in 2 ms')]
  const created = call('Creates the payment')
  const approved = { ...bank, tone: 'good' as const }
  expect(open([created, bank])).toEqual([expect.stringContaining('Requests the payment declined')])
  const [failing = '', ...others] = open([created, approved, told, ...attempts])
  expect([failing.includes('Attempt 2'), failing.includes('Attempt 1'), others]).toEqual([
    ...[true, false, []],
  ])
  expect(open([created, approved])).toEqual([expect.stringContaining('Creates the payment')])
  expect(String(renderSequenceDiagram({ entries: [bank], names: NAMES }))).not.toContain(' open>')
})

test('a step has one heading and one link, and the rest is folded', () => {
  const rows = (entries: readonly StoryEntry[]) =>
    textOf(String(renderSequenceDiagram({ entries, names: NAMES }, () => '/page')))
  const details = [
    { name: 'sent', text: 'amount=1' },
    { name: 'answered', text: 'id=1' },
    { name: 'ip', text: '127.0.0.1' },
  ]
  const of = { what: 'webhooks', id: '1' } as const
  const created = call('POST /v1/transactions', { details, of: { what: 'requests', id: '1' } })
  expect(rows([created])).toContain(
    '200 POST /v1/transactions Open the request amount=1 200 answer id=1 Details ip 127.0.0.1',
  )
  const sent = { ...attempt(1, 'bad', ''), details, of }
  expect(rows([bank, { ...told, of, says: 'It failed.' }, sent])).toContain(
    'Attempt 1 Open the webhook Request amount=1 500 answer id=1 Details ip 127.0.0.1 Webhook for the shop It failed.',
  )
  expect(rows([{ ...bank, says: 'The bank declined it.' }])).not.toContain('Details')
})

test('a refund is a phase of its own', () => {
  const refund = call('Requests a refund', { phase: 'Refund' })
  expect(phasesOf([call('Creates'), bank, told, call('Reads'), refund, told])).toEqual([
    ...['Order', 'Authorisation', 'Result', 'Refund', 'Result'],
  ])
})
