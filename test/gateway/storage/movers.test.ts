import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockingMovers } from '../../../mock-gateway/storage/movers.ts'

test('processes that move the clock of one data file see each other until the last one ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-movers-'))
  const [one, other] = ['gateway.db', 'gateway.db'].map((name) => lockingMovers(join(folder, name)))
  expect(one?.mayLive()).toBe(false)
  const leaving = [one?.join(), other?.join()]
  leaving[0]?.()
  expect([one?.mayLive(), other?.mayLive()]).toEqual([true, true])
  leaving[1]?.()
  expect([one?.mayLive(), other?.mayLive()]).toEqual([false, false])
  await rm(folder, { recursive: true })
  expect(() => one?.join()).toThrow('cannot be opened')
  expect(() => one?.mayLive()).toThrow('cannot be opened')
})
