import { expect, test } from 'vitest'
import { createThreadWatch } from '../../../mock-gateway/domain/thread-watch.ts'

test('a caller that blocks the thread for longer than the limit is reported once, with the duration', () => {
  let now = 0
  const told: unknown[] = []
  const watch = createThreadWatch<string>({ now: () => now }, 100, (...all) => told.push(all))
  const [slow, quick] = [watch.of('slow'), watch.of('quick')]
  now = 100
  quick()
  now = 200
  slow()
  now = 301
  quick()
  now = 302
  watch.begin(undefined)
  expect(told).toEqual([[101, 'slow']])
  now = 1000
  watch.begin(undefined)
  expect(told).toEqual([
    [101, 'slow'],
    [698, undefined],
  ])
})
