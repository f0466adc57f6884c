import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { authorizationOf } from '../../helpers/gateway.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { temporaryFolder } from '../../setup/temporary.ts'
import { reconcileAfter } from './crash.ts'
import { Ledger } from './ledger.ts'
import { placeOrder } from './load.ts'
import { openReceiver } from './receiver.ts'

/**
 * Maximum size of a file in blocks of 512 bytes. With this limit, the test needs neither a full
 * disk nor the root user.
 */
const BLOCKS = 3_000

/** Number of rejections that the test waits for. */
const REFUSALS = 12

test('a gateway whose files cannot grow answers status 503, loses nothing, and continues when they can', async () => {
  const folder = await mkdtemp(join(temporaryFolder(), 'mondido-full-'))
  const place = ['--data', folder]
  const receiver = await openReceiver()
  const ledger = new Ledger()
  const command = `ulimit -S -f ${BLOCKS} && exec "$0" ${GATEWAY_PROGRAM} "$@"`
  const given = [process.execPath, ...place, '--port', '0']
  const program = startProgram('-c', [command, ...given], { LOG_LEVEL: 'silent' }, 'sh')
  const url = /https?:\S+/.exec(await program.printed(/REST API/))?.[0] ?? ''
  const webhook = JSON.stringify({ trigger: 'payment', url: receiver.url })
  const order = () => placeOrder(url, ledger.newOrder(), webhook, () => {})
  const refusals: string[] = []
  const reads = new Set<number>()

  async function connection() {
    while (refusals.length < REFUSALS) {
      try {
        await order()
      } catch (error) {
        refusals.push((error as Error).message)
        const answer = await fetch(`${url}/transactions`, {
          headers: { authorization: authorizationOf(DEFAULT_MERCHANT) },
        })
        reads.add(answer.status)
        await answer.arrayBuffer()
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, connection))
  expect(
    refusals.filter((each) => !/data file cannot be read or written|is full/.test(each)),
  ).toEqual([])
  expect([...reads].filter((status) => status !== 200 && status !== 503)).toEqual([])

  // Other systems cannot change the limit of a running process. There, only the next process has no
  // limit.
  if (process.platform === 'linux') {
    execFileSync('prlimit', ['--pid', String(program.pid), '--fsize=unlimited'])
    await order()
  }
  await program.stop()
  expect(await reconcileAfter(place, ledger, receiver)).toEqual([])
  await receiver.close()
  await rm(folder, { recursive: true })
})
