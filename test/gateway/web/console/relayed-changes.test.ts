import { expect, test, vi } from 'vitest'
import { type Change, createChanges } from '../../../../mock-gateway/domain/changes.ts'
import { condenseChanges, relayChanges } from '../../../../mock-gateway/gateway/live-changes.ts'
import { fakeTimers } from '../../../helpers/machine-time.ts'

/** Creates a channel on which every listener receives each message. */
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

test('a subscriber at one gateway gets each change of its own merchant at another gateway once', async () => {
  fakeTimers()
  const between = channel()
  const [one, other] = [
    relayChanges(createChanges(), between),
    relayChanges(createChanges(), between),
  ]
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

test("a message fits into PostgreSQL's limit, however much has changed", () => {
  const requests = Array.from(
    { length: 500 },
    (_each, index): Change => ({ merchantId: 1, topic: 'requests', id: `${index}` }),
  )
  expect(condenseChanges(requests)).toEqual([{ merchantId: 1, topic: 'requests', id: undefined }])
  const merchants = Array.from({ length: 500 }, (_each, index) => paid(1, index + 1))
  expect(condenseChanges(merchants)).toEqual([
    { merchantId: 'everybody', topic: 'transactions', id: undefined },
  ])
  const id = 'f'.repeat(36)
  const most = Array.from(
    { length: 40 },
    (_each, index): Change => ({ merchantId: 2 ** 31 - index, topic: 'transactions', id }),
  )
  expect(JSON.stringify(condenseChanges(most)).length).toBeLessThan(7_000)
})
