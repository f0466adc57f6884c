import { mkdtemp, readdir, rm, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scratchDatabase } from '../../helpers/postgres.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { crash, reconcileAfter, runUntil } from './crash.ts'
import { Ledger } from './ledger.ts'
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
