import { expect } from 'vitest'
import { entryByName } from '../../../mock-gateway/domain/errors.ts'
import { openCheckout, pressed } from './checkout.ts'
import { later, type Row, row, type Section } from './rows.ts'

const registers = (says: string, webhook: object): Row =>
  row(says, async ({ prepare }) => {
    expect((await prepare({ webhook: JSON.stringify(webhook) })).body.webhooks).toMatchObject([webhook])
  })

const HOOK = { trigger: 'payment', url: 'https://shop.example/hook' }

export const EVENTS: Section = {
  title: 'Events',
  rows: [
    registers('an e-mail webhook has trigger and email', { trigger: 'payment', email: 'orders@shop.example' }),
    registers('a custom HTTP webhook has url, trigger, http_method, data_format', {
      ...HOOK,
      http_method: 'post',
      data_format: 'json',
    }),
    ...['post', 'get'].map((http_method) => registers(`http_method ${http_method}`, { ...HOOK, http_method })),
    ...['json', 'form_data', 'xml'].map((data_format) =>
      registers(`data_format ${data_format}`, { ...HOOK, data_format }),
    ),
    ...['payment_success', 'payment_error', 'recurring_success', 'payment'].map((trigger) =>
      registers(`trigger ${trigger}`, { ...HOOK, trigger }),
    ),
    row('webhook is a single object or an array of objects', async ({ prepare }) => {
      expect((await prepare({ webhook: JSON.stringify(HOOK) })).body.webhooks).toHaveLength(1)
      expect((await prepare({ webhook: JSON.stringify([HOOK, HOOK]) })).body.webhooks).toHaveLength(2)
    }),
    ...later('webhook delivery', [
      'webhooks can be configured from templates in the admin console',
      'a refund confirmation is sent by the After Refund event through a receipt webhook',
      'custom HTTP webhooks do not follow redirects',
      'for https targets the certificate must be valid',
      'a 500 answer leads to up to 20 retries',
      'other errors create a dashboard notification at once, with an alert e-mail',
      'retry delay after attempt n is (n ** 4) + 15 + (random(0..29) * (n + 1)) seconds',
      'after 20 failed retries the job moves to a dead-job queue with a dashboard notification',
    ]),
    ...later('3-D Secure', ['mpi:open: 3-D Secure window opens', 'mpi:close: 3-D Secure window closes']),
    row('payment:before: before processing; a handler returning false halts processing', async (world) => {
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
    }),
    row('payment:success: event and transaction, after a successful payment', async (world) => {
      const page = await openCheckout(world)
      const [event, transaction] = await pressed(page, ['payment:success', 'payment:fail'])
      expect([event, transaction]).toMatchObject(['payment:success', { id: expect.any(Number), status: 'approved' }])
      await page.close()
    }),
    row('payment:fail: event and error with name, code, description, after a failed payment', async (world) => {
      const page = await openCheckout(world, '201')
      const [event, error] = await pressed(page, ['payment:success', 'payment:fail'])
      expect([event, error]).toMatchObject([
        'payment:fail',
        { name: 'errors.payment.declined', code: 129, description: entryByName('errors.payment.declined')?.en },
      ])
      await page.close()
    }),
  ],
}
