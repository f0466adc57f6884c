import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { DAY } from '../../../mock-gateway/domain/subscription/periods.ts'
import { MOVE_LIMITS } from '../../../mock-gateway/scheduler/clock-moves.ts'
import { type Clocks, createClocks } from '../../../mock-gateway/scheduler/clocks.ts'
import type { DueResult } from '../../../mock-gateway/scheduler/due.ts'
import { createScheduler, type Scheduler } from '../../../mock-gateway/scheduler/scheduler.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { insertMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { handSetClock, START } from '../../helpers/gateway.ts'
import {
  DATABASES,
  onEveryDatabase,
  openTestDatabase,
  openTestPlace,
} from '../storage/databases.ts'
import { merchantRow } from '../storage/new-rows.ts'
import { type TestKind, testKind, testWork } from './due-things.ts'

const HOUR = 3_600_000
const SILENT = pino({ enabled: false })

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function timelineOf(
  database: Database,
  kinds: readonly TestKind[] = [],
  limits = MOVE_LIMITS,
  machine = handSetClock(),
): Promise<Scheduler & { readonly clocks: Clocks; readonly machine: typeof machine }> {
  const clocks = await createClocks(database, machine.now)
  const timeline = createScheduler(
    { database, clocks, work: testWork(kinds), logger: SILENT },
    limits,
  )
  ends.push(timeline.stop, async () => {
    await database.db.deleteFrom('clocks').execute()
    await database.db.deleteFrom('customers').execute()
    await database.db.deleteFrom('merchants').execute()
  })
  return { ...timeline, clocks, machine }
}

const customerAt = async ({ db }: Database, merchantId: number, at: number) => {
  await insertMerchant(db, merchantRow({ id: merchantId }))
  await db
    .insertInto('customers')
    .values({ merchant_id: merchantId, ref: null, metadata: null, created_at: at, updated_at: at })
    .execute()
}

onEveryDatabase((database) => {
  describe('a clock', () => {
    test('a frozen clock is stopped, and continues from there after resume', async () => {
      const { clocks, machine, move } = await timelineOf(database())
      expect(await move({ kind: 'freeze' })).toMatchObject({
        mode: 'frozen',
        from: START,
        now: START,
        quiet: true,
      })
      machine.advance(HOUR)
      expect(clocks.now()).toBe(START)
      expect(await move({ kind: 'resume' })).toMatchObject({ mode: 'offset', now: START })
      machine.advance(5)
      expect(clocks.now()).toBe(START + 5)
      expect(await move({ kind: 'resume', real: true })).toMatchObject({
        mode: 'real',
        now: START + HOUR + 5,
      })
    })

    test('a frozen clock stays at its new time: months keep the day, or use their last one', async () => {
      const { move } = await timelineOf(database())
      await move({ kind: 'freeze', at: Date.UTC(2028, 0, 31, 12) })
      const by = { months: 1, days: 1, seconds: 30 }
      expect(await move({ kind: 'advance', by })).toMatchObject({
        mode: 'frozen',
        now: Date.UTC(2028, 2, 1, 12, 0, 30),
      })
    })

    test('keeps its time over a restart', async () => {
      const before = await timelineOf(database())
      await before.move({ kind: 'freeze', at: START + DAY })
      await before.move({ kind: 'advance', by: { days: 1 } }, { merchantId: 7 })
      await before.move({ kind: 'resume' }, { merchantId: 7 })
      await before.stop()
      const machine = handSetClock(START + HOUR)
      const { clocks } = await timelineOf(database(), [], MOVE_LIMITS, machine)
      expect([clocks.now(), clocks.now(7)]).toEqual([START + DAY, START + 2 * DAY + HOUR])
    })

    test('moves only forward once data exist, unless it is forced', async () => {
      const { move } = await timelineOf(database())
      expect(await move({ kind: 'set', at: START - DAY })).toMatchObject({ now: START - DAY })
      await customerAt(database(), 7, START)
      await expect(move({ kind: 'set', at: START - 2 * DAY })).rejects.toThrow(
        'errors.request.bad_format',
      )
      await expect(move({ kind: 'set', at: 0 }, { merchantId: 7 })).rejects.toThrow(
        'errors.request.bad_format',
      )
      expect(await move({ kind: 'set', at: 0 }, { merchantId: 8 })).toMatchObject({ now: 0 })
      expect(await move({ kind: 'set', at: 0 }, { merchantId: 7, force: true })).toMatchObject({
        now: 0,
      })
      // Merchant 7 has its own clock now, so no other data prevent the move.
      expect(await move({ kind: 'set', at: START - 2 * DAY })).toMatchObject({
        now: START - 2 * DAY,
      })
    })

    test.each([Number.NaN, -1, Date.UTC(10_000, 0), Number.POSITIVE_INFINITY])(
      'rejects the time %s',
      async (at) => {
        const { clocks, move } = await timelineOf(database())
        await expect(move({ kind: 'set', at })).rejects.toThrow('errors.request.bad_format')
        expect(clocks.getMode()).toBe('real')
      },
    )
  })
})

onEveryDatabase((database) => {
  describe('a clock that is moved', () => {
    test('runs due work in the order of time, kind and id, with the clock at each time', async () => {
      const seen: number[] = []
      const expiry = testKind('expiry', () => void seen.push(clocks.now()))
      const charge = testKind('charge', ({ id }) => {
        seen.push(clocks.now())
        return { what: `charged ${id}`, facts: { transaction_id: id } }
      })
      const { clocks, move } = await timelineOf(database(), [expiry, charge])
      charge.due.push(
        { at: START + 20, merchantId: 1, id: 2 },
        { at: START + 20, merchantId: 1, id: 1 },
        { at: START + 10, merchantId: 1, id: 3 },
        { at: START + 99_000, merchantId: 1, id: 4 },
      )
      expiry.due.push({ at: START + 20, merchantId: 1, id: 9 })
      const report = await move({ kind: 'advance', by: { seconds: 1 } })
      const charged = (id: number, at: number) => ({
        at,
        merchantId: 1,
        id,
        kind: 'charge',
        what: `charged ${id}`,
        facts: { transaction_id: id },
      })
      expect(report.happened).toEqual([
        charged(3, START + 10),
        charged(1, START + 20),
        charged(2, START + 20),
      ])
      expect(expiry.done).toHaveLength(1)
      expect(seen).toEqual([START + 10, START + 20, START + 20, START + 20])
      expect(report).toMatchObject({
        now: START + 1_000,
        quiet: true,
        next: [{ kind: 'charge', id: 4 }],
      })
    })

    test('also runs work that due work creates', async () => {
      const charge = testKind('charge', ({ at, id }) => {
        if (id < 60) charge.due.push({ at: at + DAY, merchantId: 1, id: id + 1 })
        return { what: 'charged' }
      })
      const { move } = await timelineOf(database(), [charge])
      charge.due.push({ at: START + 1, merchantId: 1, id: 1 })
      const { happened } = await move({ kind: 'advance', by: { months: 60 } })
      expect(happened.map(({ at }) => at)).toEqual(
        Array.from({ length: 60 }, (_, day) => START + 1 + day * DAY),
      )
    })

    test('moves to the next due work, and stays if there is none', async () => {
      const charge = testKind('charge')
      const { move } = await timelineOf(database(), [charge])
      charge.due.push(
        { at: START + DAY, merchantId: 1, id: 1 },
        { at: START + 2 * DAY, merchantId: 1, id: 2 },
      )
      expect(await move({ kind: 'next' })).toMatchObject({
        now: START + DAY,
        happened: [{ id: 1 }],
      })
      expect(await move({ kind: 'next' })).toMatchObject({
        now: START + 2 * DAY,
        happened: [{ id: 2 }],
      })
      expect(await move({ kind: 'next' })).toMatchObject({
        now: START + 2 * DAY,
        happened: [],
        quiet: true,
      })
    })

    test('returns the moment up to which all work is done, even if the release takes a while', async () => {
      const { write } = database()
      const machine = handSetClock()
      const slow: Database['write'] = (work) => {
        machine.advance(50)
        return write(work)
      }
      const charge = testKind('charge', ({ id }) => ({ what: `charged ${id}` }))
      const { move } = await timelineOf(
        { ...database(), write: slow },
        [charge],
        MOVE_LIMITS,
        machine,
      )
      charge.due.push(
        { at: START + DAY, merchantId: 1, id: 1 },
        { at: START + DAY + 20, merchantId: 1, id: 2 },
      )
      const { now, happened, quiet } = await move({ kind: 'advance', by: { days: 1 } })
      expect({ now, happened: happened.map(({ id }) => id), quiet }).toEqual({
        now: START + DAY,
        happened: [1],
        quiet: true,
      })
    })

    test('reports a failure and continues with the other work', async () => {
      const charge = testKind('charge', ({ id }) => {
        if (id === 1) throw new Error('of no use')
        return { what: 'charged' }
      })
      const { move } = await timelineOf(database(), [charge])
      charge.due.push(
        { at: START + 10, merchantId: 1, id: 1 },
        { at: START + 20, merchantId: 1, id: 2 },
      )
      const { happened, quiet } = await move({ kind: 'advance', by: { seconds: 1 } })
      expect(happened.map(({ id, what }) => [id, what])).toEqual([
        [1, 'failed: see the log'],
        [2, 'charged'],
      ])
      expect(quiet).toBe(true)
    })

    test('stops at the last event after the maximum number of events, and continues with the next call', async () => {
      const charge = testKind('charge')
      const { clocks, move } = await timelineOf(database(), [charge], { ...MOVE_LIMITS, events: 2 })
      for (const id of [1, 2, 3]) charge.due.push({ at: START + id * 10, merchantId: 1, id })
      const report = await move({ kind: 'advance', by: { seconds: 1 } })
      expect(report).toMatchObject({
        quiet: false,
        now: START + 20,
        happened: [{ id: 1 }, { id: 2 }],
        next: [{ id: 3 }],
      })
      expect(clocks.getMode()).toBe('offset')
      expect(await move({ kind: 'set', at: START + 1_000 })).toMatchObject({
        quiet: true,
        happened: [{ id: 3 }],
      })
    })

    test('is moved by one call at a time', async () => {
      const sent = Promise.withResolvers<DueResult>()
      const slow = testKind('webhook', () => sent.promise)
      const { clocks, move } = await timelineOf(database(), [slow])
      slow.due.push({ at: START + 10, merchantId: 1, id: 1 })
      const first = move({ kind: 'advance', by: { seconds: 1 } })
      await expect.poll(() => clocks.now()).toBe(START + 10)
      await expect(move({ kind: 'advance', by: { seconds: 1 } })).rejects.toThrow(
        'errors.request.bad_format',
      )
      sent.resolve({ what: 'sent' })
      expect(await first).toMatchObject({ quiet: true, now: START + 1_000, happened: [{ id: 1 }] })
    })
  })
})

describe.each(DATABASES)('two gateways on one %s', (_name, open) => {
  test('see each other’s clocks, and only one of them moves a clock at a time', async () => {
    const target = await openTestPlace(open)
    const [one, two] = [await openTestDatabase(target), await openTestDatabase(target)]
    const sent = Promise.withResolvers<DueResult>()
    const slow = testKind('webhook', () => sent.promise)
    const first = await timelineOf(one, [slow])
    const second = await timelineOf(two)
    slow.due.push({ at: START + 10, merchantId: 1, id: 1 })
    const moving = first.move({ kind: 'advance', by: { days: 1 } })
    await expect.poll(() => first.clocks.now()).toBe(START + 10)
    await expect(second.move({ kind: 'advance', by: { days: 1 } })).rejects.toThrow(
      'errors.request.bad_format',
    )
    sent.resolve({ what: 'sent' })
    await moving
    await expect.poll(() => second.clocks.now()).toBe(START + DAY)
  })

  test('do not wait for a gateway that released a clock while the database was unavailable', async () => {
    const target = await openTestPlace(open)
    const [one, two] = [await openTestDatabase(target), await openTestDatabase(target)]
    let isLost = false
    const write: Database['write'] = (work) =>
      isLost ? Promise.reject(new Error('lost')) : one.write(work)
    const breaking = testKind('webhook', () => {
      isLost = true
    })
    const first = await timelineOf({ ...one, write }, [breaking])
    const second = await timelineOf(two)
    breaking.due.push({ at: START + 10, merchantId: 1, id: 1 })
    await expect(first.move({ kind: 'advance', by: { days: 1 } })).rejects.toThrow('lost')
    isLost = false
    await first.clocks.reload()
    expect(await second.move({ kind: 'advance', by: { days: 2 } })).toMatchObject({ quiet: true })
    expect(await first.move({ kind: 'advance', by: { days: 1 } })).toMatchObject({ quiet: true })
  })
})
