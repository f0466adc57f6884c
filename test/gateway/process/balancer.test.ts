import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { until } from '../../helpers/sink.ts'
import { freePort } from '../../setup/free-port.ts'
import { type Place, postgresPlace } from '../storage/databases.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { Ledger } from './ledger.ts'
import { type GatewayProcess, payAcross, placeOrder } from './load.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { readKept, reconcile } from './reconcile.ts'

const KEY = 'a-key-of-this-test-alone'

/** Number of answers under load. `npm run lab -- crash --balanced 5000` waits for more. */
const ANSWERS = Number(process.env.TEST_BALANCED ?? 60)

describe('two gateways on one PostgreSQL behind one address', {
  timeout: process.env.TEST_BALANCED ? 600_000 : 180_000,
}, () => {
  let place: Place
  let database: Database
  let receiver: Receiver
  let killed: Awaited<ReturnType<typeof start>>
  let other: typeof killed
  let balancer: Balancer
  const origins: string[] = []
  /**
   * Starts a gateway. All gateways have the same settings, including the address of the balancer,
   * so a session is valid at each of them.
   */
  async function start(): Promise<GatewayProcess & { readonly origin: string }> {
    const port = String(await freePort())
    const flags = [
      '--database',
      place.target,
      '--control-key',
      KEY,
      '--base-url',
      balancer.origin,
      '--port',
      port,
    ]
    const program = startProgram(GATEWAY_PROGRAM, flags, { LOG_LEVEL: 'silent' })
    await program.printed(/REST API/)
    const origin = `http://127.0.0.1:${port}`
    return { program, origin, url: `${origin}/v1` }
  }
  beforeAll(async () => {
    place = await postgresPlace()
    receiver = await openReceiver()
    balancer = await openBalancer(origins)
    killed = await start()
    other = await start()
    origins.push(killed.origin, other.origin)
    database = await openDatabase(place.target)
  })
  afterAll(async () => {
    await balancer.close()
    for (const { program } of [killed, other]) await program.stop()
    await receiver.close()
    await database.close()
    await place.remove()
  })

  const pending = () =>
    database.db
      .selectFrom('webhook_deliveries')
      .select(['message_id', 'lease_owner'])
      .where('status', '=', 'pending')
      .execute()

  test('lose no answered request if one is killed under load, and repeat no finished webhook', async () => {
    const ledger = new Ledger()
    await placeOrder(
      killed.url,
      ledger.newOrder(),
      JSON.stringify({ trigger: 'payment', url: receiver.silent }),
      () => {},
    )
    await until(async () => receiver.calls() > 0)
    const [{ lease_owner: owner } = { lease_owner: null }] = await pending()

    let underWay: string[] = []
    await payAcross(`${balancer.origin}/v1`, ledger, ANSWERS, receiver.url, async () => {
      await killed.program.stop('SIGKILL')
      underWay = (await pending())
        .filter(({ lease_owner }) => lease_owner === owner)
        .map(({ message_id }) => message_id)
    })
    // Ends the leases of the killed gateway's webhooks.
    await database.write((queries) =>
      queries
        .updateTable('webhook_deliveries')
        .set({ lease_until: 0 })
        .where('lease_owner', '=', owner)
        .execute(),
    )
    await until(async () => (await pending()).length === 0)

    expect(reconcile(ledger, await readKept(`${balancer.origin}/v1`, receiver))).toEqual([])
    expect(underWay.length).toBeGreaterThan(0)
    expect(underWay).toEqual(expect.arrayContaining([...receiver.again.keys()]))
    expect(receiver.again.size).toBeGreaterThan(0)
    expect(receiver.calls() - receiver.told.size).toBe(receiver.again.size)
    if (process.env.TEST_BALANCED) {
      const { creates, captures, refunds } = ledger.acknowledged()
      process.stdout.write(
        `answered ${creates} creates, ${captures} captures, ${refunds} refunds; `,
      )
      process.stdout.write(
        `${underWay.length} webhooks were under way, ${receiver.again.size} came again\n`,
      )
    }
  })
})
