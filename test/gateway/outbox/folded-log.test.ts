import { expect, test } from 'vitest'
import { foldLog, MAX_LOG_EVENTS } from '../../../mock-gateway/outbox/record.ts'
import type { LogEventRow } from '../../../mock-gateway/storage/tables/log-events.ts'

const event = (id: number): LogEventRow => ({
  id,
  transaction_id: 1,
  event_type: 'payment',
  data: { event: `${id}` },
  created_at: id,
})
const log = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1))

test('a log that is not too long stays unchanged', () => {
  expect(foldLog([])).toBeUndefined()
  expect(foldLog(log(MAX_LOG_EVENTS))).toBeUndefined()
})

test('a longer log keeps its start and end, and counts the omitted events', () => {
  const { events = [], fold, next } = foldLog(log(1_000)) ?? {}
  expect(events).toHaveLength(MAX_LOG_EVENTS)
  expect(events.slice(0, 100)).toEqual(log(100))
  expect(events[100]).toEqual({ ...event(101), data: { event: 'left_out', count: 801 } })
  expect(events.slice(101)).toEqual(log(1_000).slice(-99))
  expect([fold, next]).toEqual([events[100], events[101]])
})

test('events that are added one at a time give the same log as all events at once', () => {
  let events: readonly LogEventRow[] = []
  for (const each of log(1_000)) events = foldLog([...events, each])?.events ?? [...events, each]
  expect(events).toEqual(foldLog(log(1_000))?.events)
})
