import { expect, test } from 'vitest'
import { newestDeliveryStates, newestPayments } from '../../../../mock-gateway/storage/overview.ts'
import { MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
import { onEveryDatabase } from '../../storage/databases.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

test('the overview counts payments, webhooks and errors, and each number links to its list', async () => {
  const answer = { code: 500, message: '', headers: {}, body: '', error: null }
  const shop = await startGateway({ webhooks: { call: async () => answer } })
  const client = await loggedIn(shop.gateway)
  const empty = await client.get('/1')
  expect(textOf(empty.html)).toContain(
    'Nothing. All webhooks were delivered, and no request was rejected.',
  )
  expect(textOf(empty.html)).toContain('No payments yet.')

  const webhook =
    '{"url":"https://shop.example/hook","trigger":"payment","http_method":"post","data_format":"json"}'
  await shop.post('/v1/transactions', payment({ authorize: true, webhook }))
  await shop.post('/v1/transactions', payment({ card_cvv: '201' }))
  await shop.post('/v1/transactions', payment({ hash: 'wrong' }))
  await controlOf(shop.gateway).post('/clock/advance', { seconds: 1 })
  const { html } = await client.get('/1')
  const text = textOf(html)
  expect(text).toContain('Payments 2')
  expect(text).toContain('Succeeded 50 % 1 declined or failed')
  expect(text).toContain('1 webhook failed and will be retried, the oldest for 1 s')
  expect(text).toContain('Error 107, errors.hash.invalid, at POST /v1/transactions (1)')
  expect(text).toContain('1 payment to capture')
  expect(text).toMatch(/Payments per hour .* 2026-03-14 12:00 1 0 1/)
  for (const [, path = ''] of html.matchAll(/href="\/console(\/1[^"]*)"/g))
    expect([path, (await client.get(path.replaceAll('&amp;', '&'))).status]).toEqual([path, 200])
  await shop.close()
})

test('payments older than a day are counted by day', async () => {
  const shop = await startGateway()
  const client = await loggedIn(shop.gateway)
  await shop.post('/v1/transactions', payment())
  await controlOf(shop.gateway).post('/clock/advance', { days: 3 })
  const text = textOf((await client.get('/1')).html)
  expect(text).toMatch(/Payments per day .* 2026-03-14 1 0 0/)
  await shop.close()
})

onEveryDatabase((database) => {
  test('the overview counts rows of one merchant only', async () => {
    expect(await newestPayments(database().db, MERCHANT.id)).toEqual([])
    expect(await newestDeliveryStates(database().db, MERCHANT.id)).toEqual([])
  })
})
