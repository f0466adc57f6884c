import { expect } from 'vitest'
import { makeCertificate } from '../../../mock-gateway/cli/certificate.ts'
import { findEntryByName } from '../../../mock-gateway/domain/errors/errors.ts'
import { MERCHANT, payment } from '../../helpers/gateway.ts'
import { openSink, until } from '../../helpers/sink.ts'
import { newPlan } from '../subscriptions/new-subscription.ts'
import { consoleOf } from '../web/console/client.ts'
import { controlOf } from '../web/control/client.ts'
import type { Shop } from '../webhooks/shop.ts'
import { openCheckout, openCheckoutWithBank, pressed } from './checkout.ts'
import { type Row, row, type Section } from './rows.ts'
import { inShop, sent } from './sent.ts'

const registers = (says: string, webhook: object): Row =>
  row(says, async ({ prepare }) => {
    expect((await prepare({ webhook: JSON.stringify(webhook) })).body.webhooks).toMatchObject([
      webhook,
    ])
  })

const CONTENT_TYPES = {
  json: /^application\/json/,
  form_data: /^application\/x-www-form-urlencoded/,
  xml: /^application\/xml/,
}

interface Mail {
  readonly to: string
  readonly text: string
}

/** Waits for a number of mails, and returns them. */
const mailsOf = ({ gateway }: Shop, count: number) =>
  until(async () => {
    const { mails } = (await controlOf(gateway).get<{ mails: Mail[] }>('/mails')).body
    return mails.length >= count && mails
  })

const HOOK = { trigger: 'payment', url: 'https://shop.example/hook' }

export const EVENTS: Section = {
  title: 'Events',
  rows: [
    registers('an e-mail webhook has trigger and email', {
      trigger: 'payment',
      email: 'orders@shop.example',
    }),
    registers('a custom HTTP webhook has url, trigger, http_method, data_format', {
      ...HOOK,
      http_method: 'post',
      data_format: 'json',
    }),
    ...['post', 'get'].flatMap((http_method) =>
      Object.entries(CONTENT_TYPES).map(([data_format, type]) =>
        sent(
          `http_method ${http_method} with data_format ${data_format}`,
          async ({ pay, sink }) => {
            const { id } = await pay({ http_method, data_format })
            const [call] = await sink.calls(1)
            expect(call?.method).toBe(http_method.toUpperCase())
            const query = new URL(call?.path ?? '', sink.url).searchParams
            if (http_method === 'get')
              expect([call?.body, query.get('id')]).toEqual(['', String(id)])
            else {
              expect(call?.headers['content-type']).toMatch(type)
              expect(call?.body).toContain(String(id))
            }
          },
        ),
      ),
    ),
    sent('an e-mail webhook is mailed to its address', async (shop) => {
      await shop.pay({ url: undefined, email: 'orders@shop.example' })
      expect(await mailsOf(shop, 1)).toMatchObject([{ to: 'orders@shop.example' }])
    }),
    ...['payment_success', 'payment_error', 'payment'].map((trigger) =>
      sent(`trigger ${trigger}`, async ({ pay, sink }) => {
        await pay({ trigger }, trigger === 'payment_error' ? { card_cvv: '201' } : {})
        expect(JSON.parse((await sink.calls(1))[0]?.body ?? '').status).toMatch(/approved|declined/)
      }),
    ),
    ...(
      [
        ['trigger recurring_success, of a charge of the subscription', ['recurring_success'], []],
        ['trigger payment_success of a template, of a charge too', [], ['payment_success']],
      ] as const
    ).map(([says, own, templates]) =>
      row(says, async () => {
        const sink = await openSink()
        const webhooks = templates.map((trigger) => ({ name: trigger, trigger, url: sink.url }))
        await inShop(
          { merchants: [{ ...MERCHANT, settings: { webhooks } }] },
          sink,
          async (shop) => {
            const { id: plan_id } = await newPlan(shop)
            const first = own.map((trigger) => ({ trigger, url: sink.url }))
            await shop.post(
              '/v1/transactions',
              payment({ plan_id, amount: '99.00', webhook: JSON.stringify(first) }),
            )
            await shop.gateway.clock.advance({ months: 1 })
            const calls = await sink.calls(1 + templates.length)
            const body = JSON.parse(calls.at(-1)?.body ?? '')
            expect(body).toMatchObject({
              transaction_type: 'recurring',
              status: 'approved',
              amount: '99.00',
            })
          },
        )
      }),
    ),
    sent('a webhook runs before a transaction', async ({ post, sink }) => {
      sink.answer(404)
      const webhook = JSON.stringify({ trigger: 'before_payment', url: sink.url })
      expect((await post('/v1/transactions', payment({ webhook }))).body.name).toBe(
        'errors.webhook.failed',
      )
      expect(JSON.parse(sink.received[0]?.body ?? '')).toMatchObject({
        id: null,
        status: 'pending',
      })
    }),
    sent(
      'a webhook runs after a transaction; an HTTP webhook carries it',
      async ({ pay, sink, get }) => {
        const { id } = await pay()
        const {
          request_body: _body,
          response: _response,
          ...carried
        } = JSON.parse((await sink.calls(1))[0]?.body ?? '')
        expect(carried).toMatchObject({
          id,
          status: (await get(`/v1/transactions/${id}`)).body.status,
        })
      },
    ),
    row('webhook is a single object or an array of objects', async ({ prepare }) => {
      expect((await prepare({ webhook: JSON.stringify(HOOK) })).body.webhooks).toHaveLength(1)
      expect((await prepare({ webhook: JSON.stringify([HOOK, HOOK]) })).body.webhooks).toHaveLength(
        2,
      )
    }),
    sent(
      'webhooks can be configured from templates in the admin console',
      async ({ gateway, sink, pay }) => {
        const template = { name: 'paid', trigger: 'payment_success', url: `${sink.url}/all` }
        const console = consoleOf(gateway)
        await console.logIn(MERCHANT.id, MERCHANT.password)
        await console.post(`/${MERCHANT.id}/webhook_templates`, template)
        await pay({ trigger: 'payment_error' })
        expect((await sink.calls(1))[0]?.path).toBe('/hook/all')
      },
    ),
    row('a refund confirmation is sent by the After Refund event through a receipt webhook', () => {
      const webhooks = [{ name: 'refunded', type: 'receipt', trigger: 'refund' }]
      return inShop(
        { merchants: [{ ...MERCHANT, settings: { webhooks } }] },
        undefined,
        async (shop) => {
          const { id } = await shop.pay({}, { payment_details: '{"email":"kim@example.org"}' })
          await shop.post('/v1/refunds', { transaction_id: id, amount: '2.50', reason: 'Broken' })
          const [mail] = await mailsOf(shop, 1)
          expect(mail).toMatchObject({
            to: 'kim@example.org',
            text: expect.stringMatching(/2,50\skr/),
          })
        },
      )
    }),
    sent('custom HTTP webhooks do not follow redirects', async ({ pay, sink, attempted }) => {
      sink.answer((response) => void response.writeHead(302, { location: sink.url }).end())
      await pay()
      expect((await attempted(1))[0]).toMatchObject({ outcome: 'failed', response: { code: 302 } })
      expect(sink.received).toHaveLength(1)
    }),
    row('for https targets the certificate must be valid', async () => {
      const sink = await openSink(await makeCertificate(['localhost'], Date.now()), 'localhost')
      await inShop({}, sink, async ({ pay, attempted }) => {
        await pay()
        expect((await attempted(1))[0]).toMatchObject({
          outcome: 'failed',
          response: { code: null },
        })
        expect(sink.received).toEqual([])
      })
    }),
    sent('a 500 answer leads to up to 20 retries', async ({ pay, sink, attempted, gateway }) => {
      sink.answer(500)
      await pay()
      await attempted(1)
      await gateway.clock.advance({ days: 8 })
      expect(sink.received).toHaveLength(21)
    }),
    ...(
      [
        ['other errors create a dashboard notification at once, with an alert e-mail', true],
        ['an administrator can switch alert e-mails off', false],
      ] as const
    ).map(([says, alerts]) =>
      row(says, () => {
        const administrators = [{ email: 'ada@example.org', alerts }, { email: 'kim@example.org' }]
        return inShop(
          { merchants: [{ ...MERCHANT, settings: { administrators } }] },
          undefined,
          async (shop) => {
            shop.sink.answer(404)
            await shop.pay()
            await shop.attempted(1)
            expect(await shop.notifications()).toMatchObject([{ kind: 'webhook_failed' }])
            const to = (await mailsOf(shop, alerts ? 2 : 1)).map((mail) => mail.to).sort()
            expect(to).toEqual(
              alerts ? ['ada@example.org', 'kim@example.org'] : ['kim@example.org'],
            )
          },
        )
      }),
    ),
    sent(
      'retry delay after attempt n is (n ** 4) + 15 + (random(0..29) * (n + 1)) seconds',
      async ({ pay, sink, attempted, attempts, gateway }) => {
        sink.answer(500)
        await pay()
        await attempted(1)
        await gateway.clock.advance({ days: 8 })
        const moments = (await attempts()).map(({ created_at }) => created_at / 1000)
        for (const [n, moment] of moments.slice(0, -1).entries()) {
          const drawn = ((moments[n + 1] ?? 0) - moment - 15 - n ** 4) / (n + 1)
          expect(Number.isInteger(drawn) && drawn >= 0 && drawn < 30).toBe(true)
        }
      },
    ),
    sent(
      'after 20 failed retries the job moves to a dead-job queue with a dashboard notification',
      async ({ pay, sink, attempted, deliveries, notifications, gateway }) => {
        sink.answer(500)
        await pay()
        await attempted(1)
        await gateway.clock.advance({ days: 8 })
        expect(await deliveries()).toMatchObject([{ status: 'dead' }])
        expect(await notifications()).toMatchObject([{ kind: 'webhook_dead' }])
      },
    ),
    ...(
      [
        ['mpi:open: 3-D Secure window opens', 'mpi:open', { mode: 'popup' }],
        ['mpi:close: 3-D Secure window closes', 'mpi:close', { reason: 'completed' }],
      ] as const
    ).map(([says, name, detail]) =>
      row(says, async (world) => {
        const page = await openCheckoutWithBank(world)
        const heard: unknown[] = []
        page.on(name, ([told]) => heard.push(told))
        const [event, transaction] = await pressed(page, ['payment:success', 'payment:fail'])
        expect([event, transaction]).toMatchObject([
          'payment:success',
          { mpi_ref: expect.stringMatching(/./) },
        ])
        expect(heard).toMatchObject([detail])
        await page.close()
      }),
    ),
    row(
      'payment:before: before processing; a handler returning false halts processing',
      async (world) => {
        const page = await openCheckout(world)
        page.on('payment:before', () => false)
        const states = new Promise<unknown[]>((resolve) => {
          const seen: unknown[] = []
          page.on('payment:state', ([change]) => {
            if (seen.push((change as { to: string }).to) === 2) resolve(seen)
          })
        })
        page.press()
        expect(await states).toEqual(['before', 'idle'])
        expect(page.sent).toEqual([])
        await page.close()
      },
    ),
    row('payment:success: event and transaction, after a successful payment', async (world) => {
      const page = await openCheckout(world)
      const [event, transaction] = await pressed(page, ['payment:success', 'payment:fail'])
      expect([event, transaction]).toMatchObject([
        'payment:success',
        { id: expect.any(Number), status: 'approved' },
      ])
      await page.close()
    }),
    row(
      'payment:fail: event and error with name, code, description, after a failed payment',
      async (world) => {
        const page = await openCheckout(world, { card_cvv: '201' })
        const [event, error] = await pressed(page, ['payment:success', 'payment:fail'])
        expect([event, error]).toMatchObject([
          'payment:fail',
          {
            name: 'errors.payment.declined',
            code: 129,
            description: findEntryByName('errors.payment.declined')?.en,
          },
        ])
        await page.close()
      },
    ),
  ],
}
