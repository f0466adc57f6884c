import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SILENT } from '../../../mock-gateway/domain/ambient.ts'
import { createChanges } from '../../../mock-gateway/domain/changes.ts'
import { createCounts } from '../../../mock-gateway/domain/counts.ts'
import { createDeliveryRows } from '../../../mock-gateway/outbox/new-delivery-rows.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { insertDeliveries } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { createDeliveries } from '../../../mock-gateway/webhooks/deliveries.ts'
import { createMissingReply } from '../../../mock-gateway/webhooks/transport.ts'
import { onEveryDatabase } from '../storage/databases.ts'
import { NOW, newMerchant } from '../storage/new-rows.ts'

const WEBHOOK = {
  type: 'CustomHttp',
  trigger: 'payment',
  url: 'https://shop.example/webhooks',
  http_method: 'post',
  data_format: 'json',
  email: null,
} as const

type Dependencies = Parameters<typeof createDeliveries>[0]

/** Stores a due webhook of a new merchant, and counts the calls of its shop. */
async function dueWebhook(database: Database, over: Partial<Dependencies> = {}) {
  const merchantId = await newMerchant(database.db)
  const rows = createDeliveryRows({ merchantId, id: new Uint8Array(12), now: NOW, dueAt: NOW }, [
    { ...WEBHOOK, transaction_id: null, webhook_id: null, template: null, body: '{}' },
  ])
  const [id = 0] = await database.write((queries) => insertDeliveries(queries, rows))
  const reply = { ...createMissingReply(''), code: 200, error: null }
  let calls = 0
  const { claimDue, run, drain } = createDeliveries({
    database,
    randomBytes: (length) => new Uint8Array(length),
    machine: () => NOW,
    findMerchant: (merchant) => findMerchant(database.db, merchant),
    getMoment: () => NOW,
    transports: {
      CustomHttp: async () => {
        calls += 1
        return { outcome: 'delivered', requestBody: '{}', reply }
      },
    },
    logger: SILENT,
    attempts: createCounts(),
    changes: createChanges(),
    ...over,
  })
  return {
    claim: async () => (await claimDue(() => NOW))[0],
    run,
    unclaimed: { kind: 'webhook', at: NOW, merchantId, id } as const,
    calls: () => calls,
    drain,
  }
}

onEveryDatabase((database) => {
  test('who attempts a delivery that is claimed and not yet sent gets the result of its call', async () => {
    const { claim, run, unclaimed, calls, drain } = await dueWebhook(database())
    const claimed = await claim()
    if (!claimed) throw new Error('Nothing was due')
    const waiting = run(unclaimed)
    const sent = await run(claimed)
    expect(await waiting).toEqual(sent)
    expect([sent?.what, calls()]).toEqual([expect.any(String), 1])
    await drain()
  })

  test('who attempts a delivery while it is being claimed gets the result of its call', async () => {
    const claimReached = Promise.withResolvers<void>()
    const claimMayEnd = Promise.withResolvers<void>()
    let written = Promise.withResolvers<void>()
    const { claim, run, unclaimed, calls, drain } = await dueWebhook(database(), {
      database: {
        ...database(),
        writeUnflushed: (work) =>
          database()
            .writeUnflushed(work)
            .finally(() => written.resolve()),
      },
      async findMerchant(id) {
        claimReached.resolve()
        await claimMayEnd.promise
        return findMerchant(database().db, id)
      },
    })
    const claiming = claim()
    await claimReached.promise
    written = Promise.withResolvers()
    const waiting = run(unclaimed)
    // The second claim has found nothing, and the first has not registered its delivery.
    await written.promise
    await setImmediate()
    claimMayEnd.resolve()
    const claimed = await claiming
    if (!claimed) throw new Error('Nothing was due')
    const sent = await run(claimed)
    expect(await waiting).toEqual(sent)
    expect([sent?.what, calls()]).toEqual([expect.any(String), 1])
    await drain()
  })
})
