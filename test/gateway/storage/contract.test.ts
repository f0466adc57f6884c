/**
 * Contract of the storage: the same calls have the same answers on an SQLite file and on PostgreSQL.
 * Other tests of modules above the storage run on SQLite only.
 */
import { expect, test } from 'vitest'
import { payment, prepared } from '../../helpers/gateway.ts'
import { openGateway } from '../../helpers/shared-gateway.ts'
import { loggedIn } from '../web/console/client.ts'
import { controlOf } from '../web/control/client.ts'
import { DATABASES, openTestPlace, type Place } from './databases.ts'

const WEBHOOK =
  '{"url":"https://shop.example/hook","trigger":"payment","http_method":"post","data_format":"json"}'
const MAIL = '{"email":"shop@shop.example","trigger":"payment","type":"email"}'
const PLAN = {
  name: 'Gold',
  interval: 1,
  interval_unit: 'months',
  periods: 12,
  prices: '{"sek":"99.00"}',
}

/** Pages of the console, which have queries of their own. */
const PAGES = [
  '/1',
  '/1/integration',
  '/1/transactions?filter[payment_ref]=a*&order_by=amount:desc',
  '/1/search?q=anna',
  '/1/sums?month=2026-03',
  '/1/requests',
  '/1/log',
  '/1/mails',
  '/1/deliveries',
]

const LISTS = [
  ['/v1/transactions', { 'filter[payment_ref]': 'Åsa*', order_by: 'payment_ref:desc' }],
  [
    '/v1/transactions',
    { 'filter[status]': 'approved', order_by: 'amount:asc', limit: 3, offset: 1 },
  ],
  ['/v1/customers', {}],
  ['/v1/stored_cards', {}],
  ['/v1/subscriptions', {}],
  ['/v1/plans', { 'filter[name]': 'g*' }],
  ['/v1/webhooks', {}],
  ['/v1/refunds', { order_by: 'amount:desc' }],
] as const

/** Parts of pages that differ in each run: durations, and ids of requests. */
const VARYING = /<td data-head="ms".*?<\/td>|(?<=\/requests\/)[\w-]{36}/g

/** Makes calls that use every table, and returns their answers. */
async function answersOn(open: () => Promise<Place>): Promise<unknown[]> {
  const shop = await openGateway({ database: await openTestPlace(open) })
  const control = controlOf(shop.gateway)
  const client = await loggedIn(shop.gateway)
  const answers: unknown[] = []
  const note = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    answers.push([status, body])
    return body as { id: number }
  }
  const look = async () => {
    for (const [path, query] of LISTS) await note(shop.get(path, query))
    for (const path of PAGES) answers.push((await client.get(path)).html.replaceAll(VARYING, ''))
    for (const path of ['/faults', '/payments/next', '/payment-links', '/snapshots'])
      await note(control.get(path))
  }
  const anna = { customer_ref: 'anna', store_card: true }
  const first = await note(
    shop.post('/v1/transactions', payment({ ...anna, payment_ref: 'first', webhook: WEBHOOK })),
  )
  await note(shop.post('/v1/transactions', payment({ payment_ref: 'Åsa-1', webhook: MAIL })))
  await note(shop.post('/v1/transactions', payment({ payment_ref: 'åsa-2', amount: '9.00' })))
  await note(shop.post('/v1/transactions', payment({ payment_ref: 'Zoë', card_cvv: '201' })))
  await note(shop.post('/v1/transactions', payment({ payment_ref: 'wrong', hash: 'wrong' })))
  await note(shop.post('/v1/transactions', prepared({ payment_ref: 'later' })))
  const reserved = await note(
    shop.post('/v1/transactions', payment({ payment_ref: 'reserved', authorize: true })),
  )
  await note(shop.put(`/v1/transactions/${reserved.id}/capture`, { amount: '5.00' }))
  const refund = { transaction_id: first.id, amount: '2.50', reason: 'broken' }
  await note(shop.post('/v1/refunds', refund))
  const plan = await note(shop.post('/v1/plans', PLAN))
  await note(
    shop.post(
      '/v1/transactions',
      payment({ ...anna, payment_ref: 'gold', plan_id: plan.id, amount: '99.00' }),
    ),
  )
  await note(control.post('/faults', { kind: 'rate_limit', method: 'DELETE' }))
  await note(control.post('/payments/next', { outcome: 130, times: 2 }))
  await note(
    control.post('/payment-links', { amount: '10.00', currency: 'sek', payment_ref: 'link-{n}' }),
  )
  await note(control.post('/snapshots', { name: 'before' }))
  await note(control.post('/clock/advance', { months: 2 }))
  await look()
  await note(control.post('/snapshots/before/restore'))
  await look()
  await note(control.post('/reset'))
  await look()
  return answers
}

test('the same calls have the same answers on an SQLite file and on PostgreSQL', {
  timeout: 60_000,
}, async () => {
  const [[, file], [, postgres]] = DATABASES as [(typeof DATABASES)[0], (typeof DATABASES)[0]]
  const answers = await answersOn(file)
  expect(answers.filter((each) => Number((each as [number])[0]) >= 400)).toMatchObject([
    [400, { code: 129 }],
    [400, { code: 107 }],
  ])
  expect(await answersOn(postgres)).toEqual(answers)
})
