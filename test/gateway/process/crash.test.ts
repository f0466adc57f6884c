import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, rm, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { clientAt, payment, startGateway, type TransactionOrError } from '../../helpers/gateway.ts'
import { scratchDatabase } from '../../helpers/postgres.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { filePlace, type Place, postgresPlace } from '../storage/databases.ts'
import { newCard, newPlan } from '../subscriptions/new-subscription.ts'
import { crash, reconcileAfter, runUntil } from './crash.ts'
import { Ledger } from './ledger.ts'
import { all, type GatewayProcess, pay, startGatewayProcess } from './load.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let folder: string
let place: readonly string[]
let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
  folder = await mkdtemp(join(tmpdir(), 'mondido-crash-'))
  place = ['--data', folder]
})
afterEach(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Number of kills. `npm run lab -- crash` kills more often, also while the gateway creates its
 * tables.
 */
const ROUNDS = 1

describe('webhook rule 22: a gateway that is killed', () => {
  const WHAT =
    'under load, has every write that it answered, no half of one, and none that nobody sent'

  test(`${WHAT}: SQLite`, async () => {
    const { acknowledged, webhooks, ...report } = await crash(place, ROUNDS, 120)
    expect(report).toEqual({ rounds: ROUNDS, problems: [] })
    expect(acknowledged.creates).toBeGreaterThan(0)
    expect(webhooks.came).toBeGreaterThan(0)
  })

  test(`${WHAT}: PostgreSQL`, async () => {
    const { url, drop } = await scratchDatabase()
    const { acknowledged, webhooks, ...report } = await crash(['--database', url], ROUNDS, 120)
    await drop()
    expect(report).toEqual({ rounds: ROUNDS, problems: [] })
    expect(acknowledged.creates).toBeGreaterThan(0)
    expect(webhooks.came).toBeGreaterThan(0)
  })

  test('a gateway that is killed while it creates its tables starts the next time', async () => {
    for (const change of [10, 1, 40]) {
      const first = startProgram(GATEWAY_PROGRAM, [...place, '--port', '0'])
      const ended = new AbortController()
      await Promise.race([changesOf(folder, change, ended.signal), first.printed(/REST API/)])
      ended.abort()
      await first.stop('SIGKILL')
      expect(await reconcileAfter(place, new Ledger(), receiver)).toEqual([])
      for (const name of await readdir(folder)) await rm(join(folder, name))
    }
  })
})

/** Resolves when the files in a folder have changed this number of times. */
async function changesOf(watched: string, count: number, signal: AbortSignal) {
  let seen = 0
  for await (const _change of watch(watched, { signal })) if (++seen === count) return
}

test('a gateway that gets a signal to stop exits, and has stored every payment that it answered', async () => {
  const ledger = new Ledger()
  const { exitCode } = await runUntil('SIGTERM', place, ledger, receiver)
  expect(exitCode).toBe(0)
  expect(await reconcileAfter(place, ledger, receiver)).toEqual([])
})

describe('a shared folder', () => {
  /**
   * Number of parallel payments of each process. They are so few that a busy machine sends all of
   * them before the gateway treats a client as stalled.
   */
  const PAYMENTS = 10

  test('two processes that start simultaneously on a new data folder share it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mondido-shared-'))
    const gateways = await Promise.all([1, 2].map(() => startGatewayProcess(['--data', folder])))
    const payments = gateways.flatMap(({ url }) => Array.from({ length: PAYMENTS }, () => pay(url)))
    const ids = (await Promise.all(payments)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(2 * PAYMENTS)
    for (const { url, program } of gateways) {
      const { rows } = await all<TransactionOrError>(url, 'transactions')
      expect(rows.map(({ id }) => id)).toEqual([...ids].sort((a, b) => a - b))
      expect(await program.stop()).toBe(0)
    }
    await rm(folder, { recursive: true })
  })
})

/** Places of the data, with the flags of a gateway on them. */
const PLACES: readonly (readonly [
  string,
  () => Promise<Place>,
  (target: string) => readonly string[],
])[] = [
  ['SQLite', filePlace, (target) => ['--data', target.replace(/\/gateway\.db$/, '')]],
  ['PostgreSQL', postgresPlace, (target) => ['--database', target]],
]

describe('pending captures', () => {
  /**
   * Number of captures. `npm run lab -- crash` makes more captures, kills more often, and also uses
   * PostgreSQL.
   */
  const { TEST_CAPTURES } = process.env
  const CAPTURES = Number(TEST_CAPTURES ?? 4)
  const KILLS = Math.ceil(CAPTURES / 10)

  const { id, password, secret } = DEFAULT_MERCHANT
  const SHOP = { id, password, secret }
  const INSTRUCTION = 'metadata[service_instructions][capture]'

  /** Captures a payment. The bank answers after a second, and declines every second capture. */
  async function capture({ url }: GatewayProcess, number: number): Promise<void> {
    const client = clientAt(new URL(url).origin, SHOP)
    const refused =
      number % 2 === 1 ? { [`${INSTRUCTION}[fail_as_code]`]: 'errors.payment.declined' } : {}
    const order = payment({ authorize: true, [`${INSTRUCTION}[seconds]`]: 1, ...refused })
    const reserved = (await client.post('/v1/transactions', order)).body
    const { body } = await client.put(`/v1/transactions/${reserved.id}/capture`, { amount: '4.00' })
    expect(body.status).toBe('capture pending')
  }

  /** Resolves when at most this number of captures is pending. */
  async function waiting({ db }: Database, most: number): Promise<void> {
    const find = db.selectFrom('transactions').select('id').where('status', '=', 'capture pending')
    while ((await find.execute()).length > most) await pause(5)
  }

  test.each(TEST_CAPTURES ? PLACES : PLACES.slice(0, 1))(
    `each of ${CAPTURES} captures that wait for the bank on %s ends once, however often the gateway is killed`,
    async (_name, make, flagsOf) => {
      const place = await make()
      const first = await startGatewayProcess(flagsOf(place.target))
      for (let number = 0; number < CAPTURES; number++) await capture(first, number)
      await first.program.stop('SIGKILL')
      const data = await openDatabase(place.target)
      for (let kill = 1; kill < KILLS; kill++) {
        const { program } = await startGatewayProcess(flagsOf(place.target))
        await waiting(data, Math.floor((CAPTURES * (KILLS - kill)) / KILLS))
        await program.stop('SIGKILL')
      }
      const { url, program } = await startGatewayProcess(flagsOf(place.target))
      await waiting(data, 0)
      const client = clientAt(new URL(url).origin, SHOP)
      const all = (
        await client.get<Transaction[]>('/v1/transactions', { limit: CAPTURES, order_by: 'id' })
      ).body
      await program.stop()
      const ends = all.map(({ status, captures, log_events }) => ({
        status,
        captures: captures.map(({ amount }) => amount),
        told: log_events
          .map(({ data: { event } }) => event)
          .filter((event) => /^capture/.test(String(event))),
      }))
      const approved = {
        status: 'approved',
        captures: ['4.00'],
        told: ['capture_sent', 'captured'],
      }
      const failed = { status: 'failed', captures: [], told: ['capture_sent', 'capture_failed'] }
      expect(ends).toEqual(all.map((_each, number) => (number % 2 === 1 ? failed : approved)))
      await data.close()
      await place.remove()
    },
    300_000,
  )
})

describe('subscription charges', () => {
  /**
   * Number of charges. `npm run lab -- crash --charges 1000` makes more charges, and kills the
   * gateway more often.
   */
  const CHARGES = Number(process.env.TEST_CHARGES ?? 40)
  const KILLS = Math.ceil(CHARGES / 20)
  const PERIODS = 10
  const DAY = 86_400_000

  test.each(PLACES)(
    `each of ${CHARGES} charges on %s is made once, however often the gateway is killed`,
    async (_name, make, flagsOf) => {
      const place = await make()
      const shop = await startGateway({ database: place.target })
      const { id: plan_id } = await newPlan(shop, {
        interval_unit: 'days',
        trial_length: 400,
        periods: PERIODS,
      })
      const { id: stored_card_id } = await newCard(shop, { card_expiry: '1235' })
      const subscriptions: number[] = []
      for (let made = 0; made < CHARGES / PERIODS; made++)
        subscriptions.push(
          (await shop.post('/v1/subscriptions', { plan_id, stored_card_id })).body.id,
        )
      await shop.close()

      const { db, close } = await openDatabase(place.target)
      // All periods are past, so a gateway that starts makes the charges one after the other.
      const anchor = Date.now() - 20 * DAY
      await db.updateTable('subscriptions').set({ anchor_at: anchor, next_at: anchor }).execute()
      const charges = () =>
        db
          .selectFrom('transactions')
          .select(['subscription_id', 'payment_ref', 'status'])
          .where('transaction_type', '=', 'recurring')
          .execute()
      const reached = async (count: number) => {
        while ((await charges()).length < count) await pause(5)
      }
      for (let kill = 1; kill <= KILLS; kill++) {
        const { program } = await startGatewayProcess(flagsOf(place.target))
        await reached(
          Math.floor((CHARGES * (kill - 1)) / KILLS) + randomInt(1, Math.ceil(CHARGES / KILLS)),
        )
        await program.stop('SIGKILL')
      }
      const { program } = await startGatewayProcess(flagsOf(place.target))
      await reached(CHARGES)
      await program.stop()

      const made = await charges()
      expect(made.every(({ status }) => status === 'approved')).toBe(true)
      expect([made.length, new Set(made.map(({ payment_ref }) => payment_ref)).size]).toEqual([
        CHARGES,
        CHARGES,
      ])
      const noted = await db
        .selectFrom('subscription_charges')
        .select(['subscription_id', 'period_at'])
        .execute()
      expect(noted).toHaveLength(CHARGES)
      const days = Array.from({ length: PERIODS }, (_period, n) => anchor + n * DAY)
      for (const id of subscriptions)
        expect(
          noted
            .filter((row) => row.subscription_id === id)
            .map((row) => row.period_at)
            .sort(),
        ).toEqual(days)
      const left = await db.selectFrom('subscriptions').select(['status', 'period_count']).execute()
      for (const row of left) expect(row).toEqual({ status: 'cancelled', period_count: PERIODS })
      await close()
      await place.remove()
    },
    900_000,
  )
})
