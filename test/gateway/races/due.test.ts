import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import type { FullDelivery } from '../../../mock-gateway/storage/tables/webhook-deliveries.ts'
import { insertDeliveries, withBodies } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { payment, startGateway } from '../../helpers/gateway.ts'
import { openGateway } from '../../helpers/shared-gateway.ts'
import { openSink, type Sink, until } from '../../helpers/sink.ts'
import { databaseProxy } from '../abuse/database-proxy.ts'
import { openTestDatabase, openTestPlace, postgresPlace } from '../storage/databases.ts'
import { newCard, newPlan } from '../subscriptions/new-subscription.ts'
import { times } from './at-once.ts'

/** Number of webhooks. `npm run lab -- crash --deliveries 10000` sends more. */
const DELIVERIES = Number(process.env.TEST_DELIVERIES ?? 150)
const CHARGES = 80
const isLong = process.env.TEST_DELIVERIES !== undefined

describe('due work on one PostgreSQL', { timeout: isLong ? 1_800_000 : 300_000 }, () => {
  let target: string
  let sink: Sink
  let database: Database
  beforeEach(async () => {
    target = await openTestPlace(postgresPlace)
    sink = await openSink()
    onTestFinished(sink.close)
    database = await openTestDatabase(target)
  })

  /** Starts two gateways that send webhooks. */
  const both = () =>
    times(2, (index) => openGateway({ database: target, seed: `sender ${index}`, webhooks: {} }))

  /** Creates pending webhooks: copies of the webhook of one payment, each with its own message. */
  async function waiting(count: number) {
    const shop = await openGateway({ database: target })
    const webhook = JSON.stringify({ trigger: 'payment', url: sink.url })
    await shop.post('/v1/transactions', payment({ webhook }))
    await shop.close()
    await database.write(async (queries) => {
      const kept = await queries.selectFrom('webhook_deliveries').selectAll().execute()
      const [{ id: _, ...first }] = (await withBodies(queries, kept)) as [FullDelivery]
      const rows = Array.from({ length: count - 1 }, (_row, index) => ({
        ...first,
        message_id: `msg_copy_${index}`,
      }))
      while (rows.length > 0) await insertDeliveries(queries, rows.splice(0, 100))
    })
  }

  const pending = async () =>
    (
      await database.db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('status', '=', 'pending')
        .execute()
    ).length

  /** Ends the leases of all webhooks. */
  const leasesEnd = () =>
    database.write((q) => q.updateTable('webhook_deliveries').set({ lease_until: 0 }).execute())

  /** Counts how often each message arrived. */
  const heard = () => Map.groupBy(sink.received, ({ headers }) => headers['webhook-id'])

  test(`webhook rule 30: ${DELIVERIES} webhooks are each sent once by two gateways`, async () => {
    await waiting(DELIVERIES)
    const gateways = await both()
    await until(async () => (await pending()) === 0)
    for (const gateway of gateways) await gateway.close()
    expect(heard().size).toBe(DELIVERIES)
    expect(sink.received).toHaveLength(DELIVERIES)
  })

  test(`${CHARGES} charges are each made once by two gateways`, async () => {
    const shop = await openGateway({ database: target })
    const { id: plan_id } = await newPlan(shop, { trial_length: 1 })
    const { id: stored_card_id } = await newCard(shop)
    const { id } = (await shop.post('/v1/subscriptions', { plan_id, stored_card_id })).body
    const at = shop.clock.now()
    await shop.close()
    await database.write(async (queries) => {
      const row = await queries
        .selectFrom('subscriptions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { id: _, ...copy } = row
      await queries.updateTable('subscriptions').set({ next_at: at }).where('id', '=', id).execute()
      for (let made = 1; made < CHARGES; made++)
        await queries
          .insertInto('subscriptions')
          .values({ ...copy, next_at: at })
          .execute()
    })
    const due = () =>
      database.db
        .selectFrom('subscriptions')
        .select('id')
        .where('next_at', '<=', at)
        .limit(1)
        .execute()
    const gateways = await both()
    await until(async () => (await due()).length === 0)
    for (const gateway of gateways) await gateway.close()
    const charges = await database.db
      .selectFrom('transactions')
      .select('subscription_id')
      .where('transaction_type', '=', 'recurring')
      .execute()
    expect(new Set(charges.map(({ subscription_id }) => subscription_id)).size).toBe(CHARGES)
    expect(charges).toHaveLength(CHARGES)
  })

  test('if the database is cut off under load, requests get status 503 with a reason, and webhooks continue automatically afterwards', async () => {
    const proxy = await databaseProxy(target)
    const shop = await startGateway({ database: proxy.url, webhooks: {} })
    const webhook = JSON.stringify({ trigger: 'payment', url: sink.url })
    const answers = await times(8, async (index) => {
      const given = []
      for (let turn = 0; turn < 12; turn++) {
        if (index === 0 && turn === 4) await proxy.down()
        given.push(await shop.post('/v1/transactions', payment({ webhook })))
        if (index === 0 && turn === 8) await proxy.up()
      }
      return given
    })
    const refused = answers.flat().filter(({ status }) => status !== 200)
    const paid = answers.flat().filter(({ status }) => status === 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, body, headers } of refused) {
      expect([status, body.name]).toEqual([503, 'errors.service_not_available'])
      expect(headers.get('mondido-explain')).toMatch(/database/)
    }
    const { status, body } = await shop.post('/v1/transactions', payment({ webhook }))
    expect(status).toBe(200)
    await leasesEnd()
    await until(async () => (await pending()) === 0)
    const told = sink.received.map((call) => JSON.parse(call.body).id)
    expect(told).toEqual(expect.arrayContaining([...paid.map((answer) => answer.body.id), body.id]))
    await shop.close()
    await proxy.down()
  })
})
