import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { clientAt, handSetClock, hashed, payment, startGateway } from '../../helpers/gateway.ts'
import { runInMemory } from '../../helpers/running.ts'
import { openSink, until } from '../../helpers/sink.ts'
import { invoice } from '../payment-methods/fields.ts'
import { newSubscription } from '../subscriptions/new-subscription.ts'
import { controlOf } from '../web/control/client.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Delivery {
  readonly attempts: number
  readonly status: string
}

test('attack 135 (backup-restore): webhooks and charges of a restored backup have their original ids', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restored-'))
  closing.push(() => rm(folder, { recursive: true }))
  const sink = await openSink()
  closing.push(sink.close)
  const clock = handSetClock()
  const open = (name: string, seed = name) =>
    startGateway({ database: join(folder, name, 'gateway.db'), webhooks: {}, clock, seed })
  await mkdir(join(folder, 'now'))
  const before = await open('now', 'before')
  sink.answer(500, 200)
  await newSubscription(before)
  await before.post(
    '/v1/transactions',
    payment({
      webhook: JSON.stringify({ trigger: 'payment', url: sink.url, data_format: 'json' }),
    }),
  )
  const deliveries = async ({ gateway }: typeof before) =>
    (await controlOf(gateway).get<Delivery[]>('/webhooks/deliveries')).body
  await until(async () => (await deliveries(before))[0]?.attempts === 1)
  await before.close()
  await cp(join(folder, 'now'), join(folder, 'restored'), { recursive: true })
  const charged: string[][] = []
  for (const name of ['now', 'restored']) {
    const shop = await open(name)
    await shop.gateway.clock.advance({ days: 40 })
    expect(await deliveries(shop)).toMatchObject([{ status: 'delivered' }])
    const { body } = await shop.get<Transaction[]>('/v1/transactions', { order_by: 'id:asc' })
    charged.push(body.map(({ id, payment_ref, status }) => `${id} ${payment_ref} ${status}`))
    await shop.close()
  }
  expect(charged[0]).toHaveLength(3)
  expect(charged[1]).toEqual(charged[0])
  const ids = sink.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([3, 1])
})

interface Attempted {
  readonly status: string
}

/**
 * Instruction that declines an invoice. The body of its webhook is a complete request, which could
 * be sent again.
 */
const REFUSED = '{"service_instructions":{"fail_as_code":225}}'

test('attack 130 (webhook-loop): webhooks to the gateway’s own payment addresses are not sent', async () => {
  const key = 'a-key-of-the-test'
  const gateway = await runInMemory('--control-key', key)
  try {
    const { merchant, url } = gateway
    const fields = hashed(invoice({}, { metadata: REFUSED }), merchant)
    const signed = String(
      new URLSearchParams({ hash: String(fields.hash), merchant_id: String(merchant.id) }),
    )
    const webhook = ['/v1/transactions', '/v1/form'].flatMap((path) =>
      ['json', 'form_data'].map((data_format) => ({
        trigger: 'payment',
        url: `${url}${path}?${signed}`,
        data_format,
      })),
    )
    const shop = clientAt(url, merchant)
    await shop.post('/v1/transactions', { ...fields, webhook: JSON.stringify(webhook) })
    const deliveries = async () => {
      const answer = await fetch(`${url}/_control/webhooks/deliveries`, {
        headers: { 'x-control-key': key },
      })
      return (await answer.json()) as Attempted[]
    }
    await expect
      .poll(async () => (await deliveries()).map(({ status }) => status))
      .toEqual(Array.from({ length: 4 }, () => 'failed'))
    expect((await shop.get<Transaction[]>('/v1/transactions')).body).toHaveLength(1)
  } finally {
    await gateway.close()
  }
})
