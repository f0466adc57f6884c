import { expect, test } from 'vitest'
import { createChanges } from '../../../mock-gateway/domain/changes.ts'
import { createCounts } from '../../../mock-gateway/domain/counts.ts'
import { SILENT } from '../../../mock-gateway/domain/logger.ts'
import { newDeliveryRows } from '../../../mock-gateway/outbox/new-delivery-rows.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { insertDeliveries } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { createDeliveries } from '../../../mock-gateway/webhooks/deliveries.ts'
import { noReply } from '../../../mock-gateway/webhooks/transport.ts'
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

onEveryDatabase((database) => {
  test('who attempts a delivery that is claimed and not yet sent gets the result of its call', async () => {
    const merchantId = await newMerchant(database().db)
    const rows = newDeliveryRows({ merchantId, id: new Uint8Array(12), now: NOW, dueAt: NOW }, [
      { ...WEBHOOK, transaction_id: null, webhook_id: null, template: null, body: '{}' },
    ])
    await database().write((queries) => insertDeliveries(queries, rows))
    let calls = 0
    const { due, drain } = createDeliveries({
      database: database(),
      randomBytes: (length) => new Uint8Array(length),
      machine: () => NOW,
      findMerchant: (id) => findMerchant(database().db, id),
      momentOf: () => NOW,
      transports: {
        CustomHttp: async () => {
          calls += 1
          return {
            outcome: 'delivered',
            requestBody: '{}',
            reply: { ...noReply(''), code: 200, error: null },
          }
        },
      },
      logger: SILENT,
      attempts: createCounts(),
      changes: createChanges(),
    })
    const [claimed] = (await due.claimDue?.(() => NOW)) ?? []
    if (!claimed) throw new Error('Nothing was due')
    const waiting = due.run({ at: NOW, merchantId, id: claimed.id }, new AbortController().signal)
    const sent = await due.run(claimed, new AbortController().signal)
    expect(await waiting).toEqual(sent)
    expect([sent?.what, calls]).toEqual([expect.any(String), 1])
    await drain()
  })
})
