import { afterEach, expect, test, vi } from 'vitest'
import { type Change, createChanges } from '../../../../mock-gateway/domain/changes.ts'
import { condensed, relayedChanges } from '../../../../mock-gateway/gateway/relayed-changes.ts'

afterEach(() => void vi.useRealTimers())

/** What is told on it, everybody hears who listens. */
function channel() {
  const listeners = new Set<(text: string) => void>()
  const told: string[] = []
  return {
    told,
    listeners,
    async tell(text: string) {
      told.push(text)
      for (const heard of listeners) heard(text)
    },
    listen(heard: (text: string) => void) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
}

const paid = (id: number, merchantId = 1): Change => ({ merchantId, topic: 'transactions', id })

test('who looks on at one gateway hears of each change at another once, and only of what is theirs', async () => {
  vi.useFakeTimers()
  const between = channel()
  const [one, other] = [relayedChanges(createChanges(), between), relayedChanges(createChanges(), between)]
  const heard: Change[] = []
  const end = other.subscribe(1, (change) => void heard.push(change))
  const changes = [paid(1), paid(2), paid(3, 2), paid(1)]
  for (const change of changes) one.publish(change)
  other.publish(paid(4))
  await vi.runAllTimersAsync()
  expect(heard).toEqual([paid(4), paid(1), paid(2)])
  expect(between.told).toHaveLength(2)
  end()
  expect(between.listeners.size).toBe(0)
})

test('what is told fits into a text of PostgreSQL, however much has changed', () => {
  const requests = Array.from(
    { length: 500 },
    (_each, index): Change => ({ merchantId: 1, topic: 'requests', id: `${index}` }),
  )
  expect(condensed(requests)).toEqual([{ merchantId: 1, topic: 'requests', id: undefined }])
  const merchants = Array.from({ length: 500 }, (_each, index) => paid(1, index + 1))
  expect(condensed(merchants)).toEqual([{ merchantId: 'everybody', topic: 'transactions', id: undefined }])
  const id = 'f'.repeat(36)
  const most = Array.from(
    { length: 40 },
    (_each, index): Change => ({ merchantId: 2 ** 31 - index, topic: 'transactions', id }),
  )
  expect(JSON.stringify(condensed(most)).length).toBeLessThan(7_000)
})
