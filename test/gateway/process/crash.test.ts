import { mkdtemp, readdir, rm, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scratchDatabase } from '../../helpers/postgres.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { crash, reconcileAfter, runUntil, tooOften } from './crash.ts'
import { Ledger } from './ledger.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { type Kept, reconcile } from './reconcile.ts'

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

test('webhooks that were repeated without a kill, or too often, are reported', () => {
  const again = new Map([
    ['once', 1],
    ['twice', 2],
    ['idle', 1],
  ])
  expect(
    tooOften(
      again,
      new Map([
        ['once', 1],
        ['twice', 2],
        ['idle', 1],
        ['unheard', 3],
      ]),
    ),
  ).toEqual([])
  expect(
    tooOften(
      again,
      new Map([
        ['once', 1],
        ['twice', 1],
      ]),
    ),
  ).toEqual([
    'again: twice came 2 times again, and was under way at 1 kills',
    'again: idle came 1 times again, and was under way at 0 kills',
  ])
})

describe('the reconciliation finds', () => {
  const row = {
    id: 7,
    payment_ref: 'crash-0',
    status: 'approved',
    amount: '10.00',
    authorize: false,
    captures: [],
    log_events: [{ data: { event: 'created' } }, { data: { event: 'charged' } }],
  }
  const refund = { id: 3, reason: 'crash-0', amount: '2.00', transaction: { id: 7 } }
  const kept = (transactions: readonly object[], refunds: readonly object[] = [], told = [7]) =>
    ({
      transactions: { rows: transactions, total: transactions.length },
      refunds: { rows: refunds, total: refunds.length },
      told: told.map((id) => ({ id, payment_ref: 'crash-0' })),
    }) as unknown as Kept

  /** Creates a ledger with an answered payment, and its later requests. */
  function paid(over: Partial<ReturnType<Ledger['newOrder']>> = {}): Ledger {
    const ledger = new Ledger()
    Object.assign(ledger.newOrder(), { created: { id: 7, status: 'approved' } }, over)
    return ledger
  }
  const refunded = { ...row, log_events: [...row.log_events, { data: { event: 'refunded' } }] }
  const captured = { ...row, authorize: true, amount: '5.00', captures: [{ amount: '5.00' }] }

  test('no difference if every payment is stored', () => {
    expect(reconcile(paid(), kept([row]))).toEqual([])
    expect(reconcile(paid({ refund: { id: 3 } }), kept([refunded], [refund]))).toEqual([])
    expect(reconcile(paid({ refund: { id: undefined } }), kept([row]))).toEqual([])
  })

  test.each<[string, Ledger, Kept]>([
    ['lost', paid(), kept([])],
    ['lost', paid(), kept([{ ...row, authorize: true, status: 'authorized' }])],
    ['lost', paid({ authorize: true, capture: 'answered' }), kept([{ ...row, authorize: true }])],
    ['lost', paid({ refund: { id: 3 } }), kept([row])],
    ['half-written', paid(), kept([{ ...row, log_events: row.log_events.slice(0, 1) }])],
    ['half-written', paid({ refund: { id: 3 } }), kept([row], [refund])],
    ['half-written', paid({ refund: { id: undefined } }), kept([refunded])],
    ['half-written', paid({ authorize: true, capture: 'sent' }), kept([captured])],
    ['phantom', new Ledger(), kept([row])],
    ['phantom', paid(), kept([row, { ...row, id: 8 }])],
    ['phantom', paid(), kept([refunded], [refund])],
    ['mistold', paid(), kept([row], [], [])],
    ['mistold', paid({ authorize: true, capture: 'answered' }), kept([captured])],
    ['mistold', paid(), kept([row], [], [7, 8])],
    [
      'miscounted',
      paid(),
      { ...kept([row]), transactions: { rows: kept([row]).transactions.rows, total: 2 } },
    ],
  ])('each row of the kind "%s"', (rule, ledger, found) => {
    expect(reconcile(ledger, found).map((problem) => problem.split(':')[0])).toContain(rule)
  })
})
