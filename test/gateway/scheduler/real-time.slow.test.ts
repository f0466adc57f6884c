import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clocks, createClocks } from '../../../mock-gateway/scheduler/clocks.ts'
import type { DueKind } from '../../../mock-gateway/scheduler/due.ts'
import { createScheduler, type Scheduler } from '../../../mock-gateway/scheduler/scheduler.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { handSetClock, START } from '../../helpers/gateway.ts'
import { pausesByHand } from '../../helpers/machine-time.ts'
import { testKind } from './due-things.ts'

let database: Database
let machine = handSetClock()
let timeline: Scheduler | undefined
let clocks: Clocks
const logged: unknown[] = []
const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) })

beforeEach(async () => {
  logged.length = 0
  machine = handSetClock()
  database = await openDatabase('memory')
})
afterEach(async () => {
  await timeline?.stop()
  await database.close()
})

async function begin(...kinds: readonly DueKind[]) {
  clocks = await createClocks(database, machine.now)
  timeline = createScheduler({ database, clocks, kinds, logger })
  return timeline
}

test('work that was due before the start runs immediately', async () => {
  const charge = testKind('charge')
  charge.due.push({ at: START - 5, merchantId: 1, id: 1 })
  await begin(charge)
  await expect.poll(() => charge.done).toHaveLength(1)
})

test('due work runs when the runner is woken', async () => {
  // No pause ends by itself, so only the wake-up can start the work.
  pausesByHand()
  const webhook = testKind('webhook')
  const { wake } = await begin(webhook)
  await expect.poll(webhook.asked).toBeGreaterThan(0)
  webhook.due.push({ at: START, merchantId: 1, id: 1 })
  wake()
  await expect.poll(() => webhook.done, { interval: 5 }).toHaveLength(1)
})

test('work runs once each, one item after the other', async () => {
  let now = 0
  let most = 0
  const webhook = testKind('webhook', async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now -= 1
    return { what: 'sent' }
  })
  const { wake } = await begin(webhook)
  for (let id = 1; id <= 50; id++) webhook.due.push({ at: START, merchantId: 1, id })
  for (let times = 0; times < 20; times++) wake()
  await expect
    .poll(() => webhook.done.map(({ id }) => id).sort((a, b) => a - b))
    .toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  expect(most).toBe(1)
})

test('the end of the runner aborts running work, and starts nothing more', async () => {
  let isUnderWay = false
  let aborted = false
  const webhook = testKind('webhook', (_due, ending) => {
    isUnderWay = true
    return new Promise((resolve) =>
      ending.addEventListener('abort', () => {
        aborted = true
        resolve(undefined)
      }),
    )
  })
  const { stop, wake } = await begin(webhook)
  for (const id of [1, 2]) webhook.due.push({ at: START, merchantId: 1, id })
  wake()
  await expect.poll(() => isUnderWay, { interval: 5 }).toBe(true)
  await stop()
  expect(aborted).toBe(true)
  wake()
  await expect.poll(() => webhook.done).toHaveLength(1)
  expect(webhook.due).toHaveLength(1)
})
