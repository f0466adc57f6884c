import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { payment, prepared, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { machineTimePasses } from '../../helpers/machine-time.ts'
import { scratchDatabase } from '../../helpers/postgres.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { type DatabaseProxy, databaseProxy } from './database-proxy.ts'
import { API } from './outcomes.ts'

interface Hanging extends AsyncDisposable {
  readonly proxy: DatabaseProxy
  readonly shop: TestGateway
  /** Address of the database without the proxy. */
  readonly direct: string
}

/** Starts a gateway that reaches its database through a proxy. */
async function openHanging(): Promise<Hanging> {
  const scratch = await scratchDatabase()
  const proxy = await databaseProxy(scratch.url)
  const shop = await startGateway({ database: proxy.url })
  return {
    proxy,
    shop,
    direct: scratch.url,
    async [Symbol.asyncDispose]() {
      await proxy.up()
      proxy.thaw()
      await shop.close()
      await proxy.down()
      await scratch.drop()
    },
  }
}

const UNAVAILABLE = { name: 'errors.service_not_available', code: 243 }
const payAt = async (shop: TestGateway) => (await shop.post(API, payment())).status

test('requests get status 503 with a reason while PostgreSQL is down, and the gateway continues afterwards without a restart', async () => {
  await using opened = await openHanging()
  const { proxy, shop } = opened
  const { href } = (await shop.post(API, prepared())).body
  await proxy.down()
  // The gateway reads the faults that may affect a request once a second.
  machineTimePasses(1_000)
  expect((await shop.browser.get('/openapi.json')).status).toBe(200)
  for (const answer of [
    await shop.get(API),
    await shop.post(API, payment()),
    await shop.browser.post(API, payment({ merchant_id: 1 })),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE })
    expect(answer.headers.get('mondido-explain')).toMatch(/database/)
  }
  machineTimePasses(1_000)
  const page = await shop.browser.get<string>(href)
  expect([page.status, page.body]).toEqual([
    503,
    expect.stringContaining('errors.service_not_available'),
  ])
  await proxy.up()
  expect(await payAt(shop)).toBe(200)
})

// Each test waits for a time limit of several seconds.
describe.concurrent('a database that hangs', () => {
  test('a silent PostgreSQL delays a request at most as long as a statement may take', async ({
    expect,
  }) => {
    await using opened = await openHanging()
    const { proxy, shop } = opened
    expect(await payAt(shop)).toBe(200)
    proxy.freeze()
    // The database hangs until all requests are answered. Without a time limit the test would never
    // end.
    for (const answer of await Promise.all(Array.from({ length: 30 }, () => shop.get(API))))
      expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE })
    proxy.thaw()
    await expect.poll(() => payAt(shop)).toBe(200)
  })

  test('a write that waits too long for a lock is rejected with status 503', async () => {
    await using opened = await openHanging()
    const { shop, direct } = opened
    const { body } = await shop.post(API, payment({ authorize: true }))
    const other = await openDatabase(direct)
    await other.db.transaction().execute(async (holding) => {
      await sql`select * from transactions where id = ${body.id} for update`.execute(holding)
      const answer = await shop.put(`${API}/${body.id}/capture`, { amount: '10.00' })
      expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE })
      expect(answer.headers.get('mondido-explain')).toMatch(/lock/)
    })
    await other.close()
  })

  test('the gateway stops on SIGTERM while its database hangs', async () => {
    await using opened = await openHanging()
    const { proxy } = opened
    const program = startProgram(GATEWAY_PROGRAM, ['--database', proxy.url, '--port', '0'], {
      LOG_LEVEL: 'silent',
    })
    const url = /https?:\S+/.exec(await program.printed(/REST API/))?.[0]
    const list = () =>
      fetch(`${url}/transactions`, { headers: { authorization: `Basic ${btoa('1:custom00')}` } })
    // The first request creates the merchant's keys and opens connections.
    await list()
    proxy.freeze()
    const asked = Promise.allSettled([list(), list(), list()])
    await proxy.held(3)
    expect(await program.stop()).toBe(0)
    await asked
  })
})
