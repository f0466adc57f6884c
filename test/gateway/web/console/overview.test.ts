import { expect, test } from 'vitest'
import {
  failedCaptures,
  newestDeliveryStates,
  newestPayments,
  unpaidSubscriptions,
} from '../../../../mock-gateway/storage/overview.ts'
import { failedLogins } from '../../../../mock-gateway/storage/requests.ts'
import { sumsOfCustomer } from '../../../../mock-gateway/storage/sums.ts'
import { authorizationOf, MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
import { useDatabase } from '../../storage/databases.ts'
import { newSubscription } from '../../subscriptions/new-subscription.ts'
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
  expect(text).toContain('Approved 50 % 1 of 2')
  expect(text).toContain('1 webhook failed and will be retried The oldest waits for 1 s.')
  // The declined payment is counted with the payments.
  expect(text).toMatch(/1 request was rejected: Hash .* \(107\) POST \/v1\/transactions\./)
  expect(text).toContain('1 payment to capture')
  expect(html).toContain('aria-label="1 approved, 1 declined"')
  for (const [, path = ''] of html.matchAll(/href="\/console(\/1[^"]*)"/g))
    expect([path, (await client.get(path.replaceAll('&amp;', '&'))).status]).toEqual([path, 200])
  await shop.close()
})

test('the overview warns of a failed capture, an unpaid subscription and a failed login', async () => {
  const RIVAL = { ...MERCHANT, id: 2 }
  const shop = await startGateway({ merchants: [MERCHANT, RIVAL] })
  const control = controlOf(shop.gateway)
  const { id } = (await shop.post('/v1/transactions', payment({ authorize: true }))).body
  await control.post('/captures/next', { outcome: 'errors.payment.declined', seconds: 60 })
  await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })
  await newSubscription(shop)
  await control.post('/payments/next', { outcome: 'errors.payment.declined' })
  await control.post('/clock/advance', { days: 1 })
  const wrong = authorizationOf({ id: 1, password: 'wrong00' })
  await shop.get('/v1/plans', {}, { authorization: wrong })
  const client = await loggedIn(shop.gateway)
  const text = textOf((await client.get('/1')).html)
  expect(text).toContain(`The capture of transaction ${id} failed`)
  expect(text).toContain('Subscription 1 is unpaid 1 charge failed.')
  expect(text).toContain('1 login with the id of this merchant failed')
  expect(textOf((await client.get(`/1/transactions/${id}`)).html)).toContain(
    'The bank declined the capture. No money was taken, and the reservation is released.',
  )
  expect(textOf((await client.get('/1/errors')).html)).toMatch(
    /Failed logins 1 .*Send the merchant id as the user name.*set a new one/,
  )
  const rival = await loggedIn(shop.gateway, 2, RIVAL.password)
  for (const path of ['/2', '/2/errors'])
    expect(textOf((await rival.get(path)).html)).not.toMatch(/login|capture of|unpaid/)
  await shop.close()
})

test('the overview lists faults, forced outcomes and held webhooks until they end', async () => {
  const merchants = [MERCHANT, { ...MERCHANT, id: 2 }] as const
  const shop = await startGateway({ merchants, hosts: ['localhost'] })
  const control = controlOf(shop.gateway)
  await control.post('/faults', { kind: 'drop', times: 0, merchant_id: 1 })
  await control.post('/faults', { kind: 'bad_gateway', times: 0 })
  await control.post('/faults', { kind: 'rate_limit', times: 0, merchant_id: 2 })
  await control.post('/payments/next', { outcome: 'errors.payment.declined', times: 9 })
  await control.post('/captures/next', { outcome: 'approved', merchant_id: 1 })
  await control.post('/webhooks/hold', { merchant_id: 1 })
  const client = await loggedIn(shop.gateway)
  const text = textOf((await client.get('/1')).html)
  expect(text).toContain('Switched on for tests: 10 forced results, 2 faults, webhooks held')
  const controls = textOf((await client.get('/1/controls')).html)
  expect(controls.match(/set for all merchants/g)).toHaveLength(2)
  for (const path of ['/faults', '/payments/next', '/captures/next']) await control.delete(path)
  await control.post('/webhooks/release', { merchant_id: 1 })
  expect(textOf((await client.get('/1')).html)).toContain('Needs attention Nothing.')
  await shop.close()
})

test('the figures are of today, 8 or 30 days, and each column links to its day', async () => {
  const shop = await startGateway()
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
  await shop.close()
})

const database = useDatabase()
test('the overview counts rows of one merchant only', async () => {
  expect(await newestPayments(database().db, MERCHANT.id)).toEqual([])
  expect(await newestDeliveryStates(database().db, MERCHANT.id)).toEqual([])
  expect(await unpaidSubscriptions(database().db, MERCHANT.id, 2)).toEqual([])
  const failed = { status: 'failed', created_at: 1 } as const
  expect(await failedCaptures(database().db, MERCHANT.id, [failed], 2)).toEqual([])
  expect(await failedLogins(database().db, MERCHANT.id)).toEqual([])
  expect(await sumsOfCustomer(database().db, MERCHANT.id, 1)).toEqual(new Map())
})
