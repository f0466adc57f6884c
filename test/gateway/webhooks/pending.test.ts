import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { DUE_KINDS, findDue } from '../../../mock-gateway/storage/due.ts'
import { claimDeliveries, findDueHosts } from '../../../mock-gateway/storage/due-deliveries.ts'
import { insertDeliveries } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { onBothDatabases } from './shop.ts'

/**
 * Number of pending deliveries (webhook rule 32). `npm run lab -- crash --pending 1000000` has
 * more.
 */
const PENDING = Number(process.env.TEST_PENDING ?? 8_000)
const IS_LONG = process.env.TEST_PENDING !== undefined

/** Number of rows that one statement inserts. */
const STEP = 20_000

/** Copies the deliveries for these hosts until there are `count` deliveries. */
async function double({ db }: Database, hosts: readonly string[], count: number) {
  const columns = sql.join(
    Object.keys((await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirst()) ?? {})
      .filter((name) => name !== 'id')
      .map((name) => sql.ref(name)),
  )
  for (let there = hosts.length; there < count; there += Math.min(there, STEP))
    await sql`insert into webhook_deliveries (${columns}) select ${columns} from webhook_deliveries
      where host in (${sql.join(hosts)}) limit ${Math.min(there, STEP, count - there)}`.execute(db)
  if (IS_LONG) await sql`analyze`.execute(db)
}

onBothDatabases((openShop) => {
  test(`webhook rule 32: the next of ${PENDING} pending webhooks are found quickly`, async () => {
    const shop = await openShop({ webhooks: { call: false } })
    await shop.pay()
    const { database } = shop
    const [row] = await shop.deliveries()
    if (!row) throw new Error('There is no delivery')
    const { id: _id, ...one } = row
    const due_at = row.due_at ?? 0
    // Half of the deliveries have been due for days. The others fall due later.
    const copies = [
      { ...one, transaction_id: null, body: '{}', host: 'dead:1' },
      { ...one, transaction_id: null, body: '{}', host: 'later:1', due_at: due_at + 1e9 },
    ]
    await database.write((queries) => insertDeliveries(queries, copies))
    await double(database, ['dead:1', 'later:1'], PENDING)
    const machineNow = shop.clock.now()
    const began = performance.now()
    const hosts = await findDueHosts(database.db, { machineNow })
    const scope = { until: due_at, machineNow }
    const found = await findDue(database.db, { ...scope, without: [], kinds: DUE_KINDS })
    const lease = { owner: 'test', leaseUntil: machineNow + 1, limit: 256 }
    const leased = await claimDeliveries(database.db, { ...scope, ...lease, host: 'dead:1' })
    if (IS_LONG)
      process.stdout.write(
        `${database.dialect}: ${(performance.now() - began).toFixed(1)} ms among ${PENDING}\n`,
      )
    expect(found).toEqual([
      { kind: 'webhook', at: due_at, merchantId: row.merchant_id, id: row.id },
    ])
    expect(leased).toHaveLength(256)
    expect(hosts).toEqual([
      { host: row.host, dueAt: due_at },
      { host: 'dead:1', dueAt: due_at },
      { host: 'later:1', dueAt: due_at + 1e9 },
    ])
    await database.db.deleteFrom('webhook_bodies').execute()
    for (let from = 0; from < PENDING; from += STEP)
      await database.db
        .deleteFrom('webhook_deliveries')
        .where('id', '<=', from + STEP + 10)
        .execute()
  }, 600_000)
})
