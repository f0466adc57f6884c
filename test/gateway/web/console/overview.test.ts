import { expect, test } from 'vitest'
import { payment } from '../../../helpers/gateway.ts'
import { openGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

test('the overview counts payments, webhooks and errors, and each number links to its list', async () => {
  const answer = { code: 500, message: '', headers: {}, body: '', error: null }
  const shop = await openGateway({ webhooks: { call: async () => answer } })
  const client = await loggedIn(shop.gateway)
  const empty = await client.get('/1')
  expect(textOf(empty.html)).toContain(
    'Nothing. All webhooks were delivered, and no request was rejected.',
  )
  expect(textOf(empty.html)).toContain('No payments yet.')

  const webhook =
    '{"url":"https://shop.example/hook","trigger":"payment","http_method":"post","data_format":"json"}'
  await shop.post('/v1/transactions', payment({ authorize: true, webhook, colour: 'red' }))
  await shop.post('/v1/transactions', payment({ card_cvv: '201' }))
  await shop.post('/v1/transactions', payment({ hash: 'wrong' }))
  await controlOf(shop.gateway).post('/clock/advance', { seconds: 1 })
  await controlOf(shop.gateway).post('/payments/next', { outcome: 'approved' })
  const { html } = await client.get('/1')
  const text = textOf(html)
  expect(text).toContain('Approved 50 % 1 of 2')
  expect(text).toMatch(
    /1 webhook to shop\.example failed and will be retried Order \S+: Status 500\. The handler failed/,
  )
  expect(text).toContain('Webhooks delivered 0 % 0 of 1')
  // The declined payment is counted with the payments.
  expect(text).toMatch(/1 request was rejected: Hash is wrong \(107\) POST \/v1\/transactions\./)
  expect(text).toContain('Check the hash')
  expect(text).toContain('Declined by the bank')
  expect(html).toContain('<span class="is bad word">500</span>')
  expect(text).toContain('1 more Waiting 1 payment to capture')
  expect(html).toContain('aria-label="1 approved, 1 declined"')
  for (const [, path = ''] of html.matchAll(/href="\/console(\/1[^"]*)"/g))
    expect([path, (await client.get(path.replaceAll('&amp;', '&'))).status]).toEqual([path, 200])
})

test('the figures are of today, 8 or 30 days, and each column links to its day', async () => {
  const shop = await openGateway()
  const client = await loggedIn(shop.gateway)
  await shop.post('/v1/transactions', payment())
  await controlOf(shop.gateway).post('/clock/advance', { days: 20 })
  for (const [days, approved] of [
    [1, 0],
    [8, 0],
    [30, 1],
  ])
    expect((await client.get(`/1?days=${days}`)).html).toContain(
      `aria-label="${approved} approved, 0 declined"`,
    )
  const { html } = await client.get('/1?days=30')
  const [, column] =
    /href="\/console(\/1\/transactions[^"]*created_at[^"]*20260314)"/.exec(html) ?? []
  expect(textOf((await client.get(column ?? '')).html)).toContain('10.00 SEK')
})
