import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createFindings } from '../../../mock-gateway/serializers/findings/read-findings.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import type { NewWebhookAttemptRow } from '../../../mock-gateway/storage/tables/webhook-attempts.ts'
import { insertAttempts } from '../../../mock-gateway/storage/webhook-attempts.ts'
import { newestDeliveries } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { payment, startGateway } from '../../helpers/gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'

describe('findings', async () => {
  const open = filePlace
  const target = await sharedPlace(open)
  const [shop, database] = [await startGateway({ database: target }), await openDatabase(target)]
  const readFindings = createFindings(database.db)
  afterAll(() => Promise.all([shop.close(), database.close()]))

  /**
   * Waits until the findings are as expected, because requests are stored a moment after their
   * answers.
   */
  const finds = (...expected: readonly (readonly [name: string, proofs: number])[]) =>
    expect
      .poll(async () => (await readFindings(1)).map(({ name, proofs }) => [name, proofs.length]))
      .toEqual(expected)

  const pay = async () => {
    const { status } = await shop.post('/v1/transactions', payment({ colour: 'red' }))
    expect(status).toBe(200)
  }

  test('read the evidence of a request only once', async () => {
    await finds()
    await pay()
    await finds(['unused_parameter', 1])
    await sql`update requests set contents = '{}'`.execute(database.db)
    await pay()
    await finds(['unused_parameter', 2])
  })

  test('include a webhook that became slow, and two webhooks for one address', async () => {
    const hook = { url: 'http://localhost:9/hook', http_method: 'post', data_format: 'json' }
    const webhooks = ['payment', 'payment_success'].map((trigger) => ({ ...hook, trigger }))
    await shop.post(
      '/v1/transactions',
      payment({ card_type: 'VISA', webhook: JSON.stringify(webhooks) }),
    )
    await finds(['unused_parameter', 2], ['same_place', 1])
    const [delivery] = await newestDeliveries(database.db, 1, 1)
    const attempt: NewWebhookAttemptRow = {
      merchant_id: 1,
      delivery_id: delivery?.id ?? 0,
      number: 1,
      manual: false,
      outcome: 'delivered',
      request_headers: null,
      request_body: null,
      response: {},
      duration: 6_000,
      created_at: 1,
    }
    await database.write((queries) => insertAttempts(queries, [attempt]))
    await finds(['unused_parameter', 2], ['same_place', 1], ['slow_webhook', 1])
  })

  test('do not contain evidence of deleted requests, even if ids start with 1 again', async () => {
    await resetData(database)
    await finds()
    await pay()
    await finds(['unused_parameter', 1])
    await resetData(database)
    for (const _each of [1, 2]) await shop.post('/v1/transactions', payment({ card_type: 'VISA' }))
    await pay()
    await finds(['unused_parameter', 1])
  })
})
