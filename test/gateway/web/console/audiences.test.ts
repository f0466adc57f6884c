import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { createChanges } from '../../../../mock-gateway/domain/changes.ts'
import {
  createAudiences,
  type Message,
  RHYTHM,
} from '../../../../mock-gateway/web/console/live/audiences.ts'

const QUICK = { gather: 1, heartbeat: 5, trust: 0 }

/** Creates an answer whose client reads everything, until the test lets it sleep. */
function answer() {
  const told: string[] = []
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    writableEnded: false,
    write: (text: string) => told.push(text),
    end: () => response.destroy(),
    destroy() {
      response.writableEnded = true
      response.emit('close')
    },
  })
  const messages = () =>
    told.filter((text) => text.startsWith('data')).map((text): Message => JSON.parse(text.slice(6)))
  return { response: response as typeof response & ServerResponse, told, messages }
}

const KNOWN = { session: '', isLoggedIn: async () => true }

describe('a subscriber of live updates', () => {
  test('gets simultaneous changes in one message, with each name once', async () => {
    const changes = createChanges()
    const { response, messages } = answer()
    createAudiences(changes, { ...RHYTHM, gather: 1 }).join(1, { response, ...KNOWN })
    for (const id of [1, 1, 2]) changes.publish({ merchantId: 1, topic: 'transactions', id })
    changes.publish({ merchantId: 2, topic: 'transactions', id: 3 })
    changes.publish({ merchantId: 'everybody', topic: 'data' })
    await expect
      .poll(messages)
      .toEqual([{ changed: ['transactions/1', 'transactions/2', 'data'], pace: 1000 }])
    response.destroy()
  })

  test('gets only the topic if there are too many changes', async () => {
    const changes = createChanges()
    const { response, messages } = answer()
    createAudiences(changes, { ...RHYTHM, gather: 1 }).join('all', { response, ...KNOWN })
    for (let id = 0; id < 10_000; id += 1)
      changes.publish({ merchantId: id, topic: 'requests', id })
    await expect.poll(() => messages()[0]?.changed).toEqual(['requests'])
    response.destroy()
  })

  test('is disconnected if it does not read, and its messages are deleted', async () => {
    const changes = createChanges()
    const audiences = createAudiences(changes, QUICK)
    const { response, told } = answer()
    audiences.join(1, { response, ...KNOWN })
    response.writableNeedDrain = true
    await expect.poll(() => response.writableEnded).toBe(true)
    expect(told).toEqual([])
    const published = vi.fn()
    changes.subscribe(2, published)
    changes.publish({ merchantId: 1, topic: 'data' })
    expect(published).not.toHaveBeenCalled()
  })
})
