import { expect, test } from 'vitest'
import { saveTemplate } from '../../../mock-gateway/templates/save.ts'
import {
  type AdministerDependencies,
  removeDelivery,
  retryNow,
  sendAgain,
} from '../../../mock-gateway/webhooks/administer.ts'
import { controlOf } from '../web/control/client.ts'
import { onBothDatabases, type Shop } from './shop.ts'

const partsOf = ({ database, gateway, clock }: Shop): AdministerDependencies => ({
  database,
  getMoment: () => gateway.clock.now(),
  machine: clock.now,
  wake: () => {},
  attempt: async () => {},
})

/** Sends all due webhooks. */
const sendDue = ({ gateway }: Shop) => gateway.clock.advance({ seconds: 1 })

const refused = (code: number) => ({ entry: expect.objectContaining({ code }) })

onBothDatabases((openShop) => {
  test('webhook rule 33: one, all, or filtered deliveries are resent, with their webhook-id, in any status', async () => {
    const shop = await openShop()
    const parts = partsOf(shop)
    shop.sink.answer(404, 200)
    await shop.pay()
    await shop.attempted(1)
    await shop.pay()
    await shop.attempted(2)
    const [failed] = await shop.deliveries()
    expect(await sendAgain(parts, { id: failed?.id })).toBe(1)
    expect(await sendAgain(parts, { id: failed?.id })).toBe(0)
    await sendDue(shop)
    expect(await shop.deliveries()).toMatchObject([
      { status: 'delivered', attempts: 1, calls: 2 },
      { status: 'delivered', attempts: 1, calls: 1 },
    ])
    expect(await sendAgain(parts, { status: ['failed'] })).toBe(0)
    expect(await sendAgain(parts, {})).toBe(2)
    await sendDue(shop)
    const ids = shop.sink.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([5, 2])
    expect((await shop.attempts()).filter(({ manual }) => manual)).toHaveLength(3)
  })

  test('a delivery that waits for its retry keeps its schedule if resending fails', async () => {
    const shop = await openShop()
    shop.sink.answer(500)
    await shop.pay()
    await shop.attempted(1)
    const [before] = await shop.deliveries()
    await sendAgain(partsOf(shop), {})
    await sendDue(shop)
    expect(await shop.deliveries()).toMatchObject([
      { status: 'pending', attempts: 1, calls: 2, due_at: before?.due_at },
    ])
    expect(await shop.notifications()).toEqual([])
  })

  test('a retry can run immediately and counts as an attempt, and only a finished delivery can be deleted', async () => {
    const shop = await openShop()
    const parts = partsOf(shop)
    shop.sink.answer(500, 200)
    const paid = await shop.pay()
    await shop.attempted(1)
    const [{ id } = { id: 0 }] = await shop.deliveries()
    await expect(removeDelivery(parts, { id })).rejects.toMatchObject(refused(204))
    await retryNow(parts, { id })
    await sendDue(shop)
    expect(await shop.deliveries()).toMatchObject([{ status: 'delivered', attempts: 2 }])
    await expect(retryNow(parts, { id })).rejects.toMatchObject(refused(204))
    const shown = await shop.webhook(paid)
    expect(shown.request_body).toBe(shop.sink.received[1]?.body)
    await removeDelivery(parts, { id })
    expect(await shop.deliveries()).toEqual([])
    expect(await shop.webhook(paid)).toEqual(shown)
  })

  test('webhook rule 33: the control API shows a sent webhook, and resends it', async () => {
    const shop = await openShop()
    const control = controlOf(shop.gateway)
    shop.sink.answer(404, 200)
    const paid = await shop.pay()
    await shop.attempted(1)
    const { body: list } = await control.get<object[]>('/webhooks/deliveries?status=failed')
    expect(list).toMatchObject([
      { id: 1, transaction_id: paid.id, trigger: 'payment', status: 'failed', attempts: 1 },
    ])
    expect((await control.get('/webhooks/deliveries/1')).body).toMatchObject({
      attempts: [{ number: 1, outcome: 'failed', response: { code: 404 } }],
    })
    expect((await control.get<object[]>('/webhooks/notifications')).body).toMatchObject([
      { kind: 'webhook_failed' },
    ])
    expect((await control.post('/webhooks/deliveries/1/send')).body).toEqual({ sent: 1 })
    await shop.attempted(2)
    expect((await control.get<object[]>('/webhooks/dead')).body).toEqual([])
    expect((await control.get('/webhooks/deliveries/9')).body).toMatchObject({ code: 204 })
    expect(
      (await control.post('/webhooks/templates', { name: 'x', trigger: 'payment' })).body,
    ).toMatchObject({ code: 1510 })
    await saveTemplate(
      shop.database.db,
      1,
      7,
      { name: 'receipt', kind: 'receipt', source: 'Thanks', prepared: 'Thanks' },
      0,
    )
    const receipt = { name: 'receipts', trigger: 'refund', type: 'receipt', template_id: 7 }
    for (const written of [receipt, { ...receipt, url: null }])
      expect((await control.post('/webhooks/templates', written)).body).toMatchObject(receipt)
    await saveTemplate(
      shop.database.db,
      1,
      8,
      { name: 'page', kind: 'page', source: 'Pay', prepared: 'Pay' },
      0,
    )
    for (const template_id of [8, 99])
      expect(
        (await control.post('/webhooks/templates', { ...receipt, template_id })).body,
      ).toMatchObject({ code: 1510 })
    expect((await control.get('/webhooks/templates')).body).toMatchObject([receipt])
    expect((await control.delete('/webhooks/templates/none')).body).toMatchObject({ code: 1511 })
  })
})
