import { mkdtemp, readdir, rm, watch } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TransactionOrError } from '../../helpers/gateway.ts'
import { startProgram } from '../../helpers/program.ts'
import { type Answered, allTransactions, payUntilGone, startGatewayProcess } from './load.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mondido-crash-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts a gateway, pays until it is ended by `signal` at a random moment, and waits for its end. */
async function runUntil(signal: 'SIGKILL' | 'SIGTERM', answered: Answered) {
  const { url, program } = await startGatewayProcess(folder)
  let askedAt = 0
  await payUntilGone(url, answered, () => {
    askedAt = performance.now()
    void program.stop(signal)
  })
  const exitCode = await program.ended
  return { exitCode, stoppedAfter: performance.now() - askedAt }
}

/** Starts the gateway once more and reads what it has. */
async function kept(): Promise<ReadonlyMap<number, TransactionOrError>> {
  const { url, program } = await startGatewayProcess(folder)
  const transactions = await allTransactions(url)
  await program.stop()
  return transactions
}

function expectNothingLost(answered: Answered, transactions: ReadonlyMap<number, TransactionOrError>) {
  const lost = [...answered].filter(([id, status]) => transactions.get(id)?.status !== status)
  expect(lost).toEqual([])
  expect(answered.size).toBeGreaterThan(0)
}

/** Steps that a transaction of this status has gone through, when it was written whole. */
const events = ({ log_events }: TransactionOrError) => log_events.map(({ data }) => data.event).join(' ')

const WHOLE = ['created charged', 'created charged captured']

describe('a gateway that is killed', { timeout: 60_000 }, () => {
  test('under load, again and again, has every payment that it answered, and no half of another', async () => {
    const answered: Answered = new Map()
    for (let round = 0; round < 5; round++) {
      expect(await runUntil('SIGKILL', answered)).toMatchObject({ exitCode: null })
    }
    const transactions = await kept()
    expectNothingLost(answered, transactions)
    for (const each of transactions.values()) {
      expect(WHOLE).toContain(events(each))
      expect(each.captures).toHaveLength(events(each) === WHOLE[1] ? 1 : 0)
    }
  })

  test('while it makes its tables, starts the next time', async () => {
    for (const change of [1, 10, 40]) {
      const first = startProgram('mock-gateway/cli.ts', ['--data', folder, '--port', '0'])
      const ended = new AbortController()
      await Promise.race([changesOf(folder, change, ended.signal), first.printed(/REST API/)])
      ended.abort()
      await first.stop('SIGKILL')
      expect((await kept()).size).toBe(0)
      for (const name of await readdir(folder)) await rm(join(folder, name))
    }
  })
})

/** Resolves as soon as the files in a folder have changed so many times. */
async function changesOf(watched: string, count: number, signal: AbortSignal) {
  let seen = 0
  for await (const _change of watch(watched, { signal })) if (++seen === count) return
}

test('a gateway that is told to stop ends well within 5 seconds and has every payment that it answered', async () => {
  const answered: Answered = new Map()
  const { exitCode, stoppedAfter } = await runUntil('SIGTERM', answered)
  expect(exitCode).toBe(0)
  expect(stoppedAfter).toBeLessThan(5_000)
  expectNothingLost(answered, await kept())
}, 60_000)
