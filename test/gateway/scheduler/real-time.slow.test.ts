import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clocks, createClocks } from '../../../mock-gateway/scheduler/clocks.ts'
import { createScheduler, type Scheduler } from '../../../mock-gateway/scheduler/scheduler.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { handSetClock, START } from '../../helpers/gateway.ts'
import { pausesByHand } from '../../helpers/machine-time.ts'
import { type TestKind, testKind, testWork } from './due-things.ts'

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

async function begin(...kinds: readonly TestKind[]) {
  clocks = await createClocks(database, machine.now)
  timeline = createScheduler({ database, clocks, work: testWork(kinds), logger })
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
  const charge = testKind('charge')
  const { wake } = await begin(charge)
  await expect.poll(charge.asked).toBeGreaterThan(0)
  charge.due.push({ at: START, merchantId: 1, id: 1 })
  wake()
  await expect.poll(() => charge.done, { interval: 5 }).toHaveLength(1)
})

test('work runs once each, one item after the other', async () => {
  let now = 0
  let most = 0
  const charge = testKind('charge', async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setTimeout(resolve, 5))
    now -= 1
    return { what: 'sent' }
  })
  const { wake } = await begin(charge)
  for (let id = 1; id <= 50; id++) charge.due.push({ at: START, merchantId: 1, id })
  for (let times = 0; times < 20; times++) wake()
  await expect
    .poll(() => charge.done.map(({ id }) => id).sort((a, b) => a - b))
    .toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  expect(most).toBe(1)
})

test('after its end, the runner starts nothing more', async () => {
  const started: number[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const charge = testKind('charge', ({ id }) => {
    started.push(id)
    return promise
  })
  const { stop, wake } = await begin(charge)
  for (const id of [1, 2]) charge.due.push({ at: START, merchantId: 1, id })
  wake()
  await expect.poll(() => started, { interval: 5 }).toEqual([1])
  const stopped = stop()
  resolve(undefined)
  await stopped
  wake()
  expect(charge.done).toHaveLength(1)
  expect(started).toEqual([1])
})
