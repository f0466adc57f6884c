import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { handSetClock, payment, startGateway } from '../../helpers/gateway.ts'
import { openSink, until } from '../../helpers/sink.ts'
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
