import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TransactionOrError } from '../../helpers/gateway.ts'
import { all, pay, startGatewayProcess } from './load.ts'

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
