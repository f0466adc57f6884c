import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { CARD, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { controlOf } from '../web/control/client.ts'
import { openTestShop } from './shop.ts'

describe('webhook rule 34: a webhook before the payment', () => {
  test('a failed webhook rejects the payment with error 193, and nothing is stored', async () => {
    const shop = await openTestShop()
    shop.sink.answer(404)
    const fields = payment({
      webhook: JSON.stringify({ trigger: 'before_payment', url: `${shop.sink.url}?key=secret` }),
    })
    const answer = await shop.post('/v1/transactions', fields)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 193, name: 'errors.webhook.failed' },
    })
    expect(answer.headers.get('mondido-explain')).toMatch(/answered status 404\.$/)
    expect(answer.headers.get('mondido-explain')).not.toContain('secret')
    expect(
      (await shop.get('/v1/transactions', { 'filter[payment_ref]': fields.payment_ref })).body,
    ).toEqual([])
  })

  test('is stored with its answer like every other webhook, whether the payment continued or not', async () => {
    const template = { name: 'stock', trigger: 'before_payment', url: 'http://127.0.0.1:1/' }
    const shop = await openTestShop({
      merchants: [
        {
          ...MERCHANT,
          settings: { webhooks: [template], administrators: [{ email: 'kim@example.org' }] },
        },
      ],
    })
    const control = controlOf(shop.gateway)
    const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
    const refused = await shop.post('/v1/transactions', payment({ webhook }))
    expect(refused.body).toMatchObject({ code: 193 })
    const all = '/webhooks/deliveries?trigger=before_payment'
    const { body: kept } = await control.get<object[]>(all)
    expect(kept).toMatchObject([
      { template: 'stock', transaction_id: null, status: 'failed', attempts: 1, due_at: null },
      { template: null, transaction_id: null, status: 'delivered', attempts: 1, due_at: null },
    ])
    // The last delivery is the alert to an administrator.
    expect(await shop.attempted(3)).toMatchObject([
      {
        outcome: 'delivered',
        request_body: shop.sink.received[0]?.body,
        response: { code: 200, body: 'ok' },
      },
      {
        outcome: 'failed',
        response: { code: null, error: expect.stringContaining('ECONNREFUSED') },
      },
      { outcome: 'delivered', request_body: expect.stringContaining('before_payment') },
    ])
    expect(await shop.notifications()).toMatchObject([{ kind: 'webhook_failed', delivery_id: 2 }])
    expect((await shop.deliveries()).map(({ trigger }) => trigger).at(-1)).toBe('alert')
  })

  test('a failed webhook rejects the payment with the rule that it names, and a success accepts the payment', async () => {
    const shop = await openTestShop()
    const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
    for (const [status, rule, body] of [
      [400, 'skip_webhook', { code: 2610 }],
      [500, 'declined', { code: 261 }],
      [200, 'skip_webhook', { status: 'approved' }],
      [200, 'declined', { status: 'approved' }],
    ] as const) {
      shop.sink.answer(
        (response) => void response.writeHead(status).end(`{"name":"errors.rules_parser.${rule}"}`),
      )
      expect((await shop.post('/v1/transactions', payment({ webhook }))).body).toMatchObject(body)
    }
  })

  test('is not sent for a payment that a check rejects', async () => {
    const shop = await openTestShop()
    const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
    for (const [wrong, code] of [
      [{ card_expiry: '0120' }, 130],
      [{ amount: '1,00' }, 1090],
    ] as const)
      expect(
        (await shop.post('/v1/transactions', payment({ webhook, ...wrong }))).body,
      ).toMatchObject({ code })
    expect(shop.sink.received).toEqual([])
  })

  test('is sent for a payment on the page too, but not for a prepared order', async () => {
    const shop = await openTestShop()
    shop.sink.answer(500, 200)
    const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
    const { body: order } = await shop.post<Transaction>('/v1/transactions', prepared({ webhook }))
    expect(shop.sink.received).toHaveLength(0)
    expect((await shop.put(`/v1/transactions/${order.id}`, CARD)).body).toMatchObject({ code: 193 })
    expect((await shop.get(`/v1/transactions/${order.id}`)).body).toMatchObject({
      status: 'pending',
    })
    await shop.send('POST', new URL(order.href).pathname, String(new URLSearchParams(CARD)))
    expect((await shop.get(`/v1/transactions/${order.id}`)).body).toMatchObject({
      status: 'approved',
    })
    expect(JSON.parse(shop.sink.received[1]?.body ?? '')).toMatchObject({
      id: order.id,
      status: 'pending',
    })
  })
})
