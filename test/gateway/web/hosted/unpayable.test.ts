/** Tests that the page of an order that no card can pay shows this before it asks for a card. */

import { expect, test } from 'vitest'
import { type Fields, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

async function open(over: Fields) {
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en', ...over }))
  const path = new URL(body.href).pathname
  const page = await shop.browser.get<string>(path)
  return {
    id: body.id,
    path,
    status: page.status,
    html: page.body,
    explain: page.headers.get('mondido-explain'),
  }
}

const asksForCard = (html: string) => html.includes('name="card_number"')

test.each([
  ['a bad format', { amount: '10' }, 'errors.amount.invalid_format'],
  [
    '0.00 with unknown plans',
    { amount: '0.00', metadata: '{"plans":["gold"]}' },
    'errors.amount.invalid',
  ],
] as const)('%s', async (_what, over, error) => {
  const { path, status, html, explain } = await open(over)
  expect([status, asksForCard(html)]).toEqual([400, false])
  expect(html).toContain(`data-error="${error}"`)
  expect(html).toContain('<h1>This order cannot be paid</h1>')
  expect(html).toContain(`href="http://localhost:4400${path}/back"`)
  expect((await shop.browser.get(`${path}/back`)).headers.get('location')).toContain(
    `https://shop.example/sorry?error_name=${error}`,
  )
  expect(explain).toBeTruthy()
})

test('the page of a payment of 0.00 with a plan asks for a card', async () => {
  const terms = { name: 'Gold', interval: 1, interval_unit: 'months', prices: '{"sek":"99.00"}' }
  const { body } = await shop.post('/v1/plans', terms)
  expect(asksForCard((await open({ amount: '0.00', plan_id: body.id })).html)).toBe(true)
  expect(
    asksForCard((await open({ amount: '0.00', metadata: `{"plans":[${body.id}]}` })).html),
  ).toBe(true)
})

test('an order can be paid after the merchant has corrected it', async () => {
  const { body } = await shop.post('/v1/transactions', prepared({ amount: '0.00' }))
  await shop.put(`/v1/transactions/${body.id}`, { amount: '10.00', process: false })
  expect(asksForCard((await shop.browser.get<string>(new URL(body.href).pathname)).body)).toBe(true)
})

test('an amount that is too large for every payment is rejected when preparing', async () => {
  const { status, body, headers } = await shop.post(
    '/v1/transactions',
    prepared({ amount: '90071992547409.92' }),
  )
  expect([status, body]).toMatchObject([400, { code: 109 }])
  expect(headers.get('mondido-explain')).toContain('90,071,992,547,409.91')
})

test('an amount in a bad format is formatted in the language of the page', async () => {
  expect((await open({ amount: '1000000000' })).html).toContain('1,000,000,000.00\u00a0SEK')
})
