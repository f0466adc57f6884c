import { expect, test } from 'vitest'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { newPlan } from '../../subscriptions/new-subscription.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

const shop = await sharedGateway({ merchants: [MERCHANT], control: 'a-key-of-our-own' })
const client = await loggedIn(shop.gateway)

const paid = async (over = {}) => (await shop.post('/v1/transactions', payment(over))).body

test('a list of subscriptions names holder, customer and plan, and failed charges in the status', async () => {
  const { id: plan_id } = await newPlan(shop, { name: 'Coffee' })
  await paid({ plan_id, customer_ref: 'kim' })
  const rowText = async () => textOf((await client.get('/1/subscriptions')).html)
  expect(await rowText()).toMatch(/Anna Andersson kim Coffee [\d.]+ SEK active/)
  const control = controlOf(shop.gateway)
  await control.post('/payments/next?merchant_id=1', { outcome: 'errors.payment.declined' })
  await shop.gateway.clock.advance({ months: 1 })
  expect(await rowText()).toContain('Unpaid, 1 charge failed')
  const file = (await client.get('/1/subscriptions.csv')).html
  expect(file).toMatch(/^\d+,Anna Andersson,.*,active,/m)
})

test('a list of customers has payer, card, number and sum of their payments', async () => {
  await shop.post('/v1/customers', { ref: 'new' })
  const kim = { customer_ref: 'buyer', payment_details: '{"email":"kim@example.com"}' }
  const { id: transaction_id } = await paid(kim)
  await paid({ ...kim, currency: 'eur', amount: '2000.00', card_holder: 'Kim Berg' })
  await shop.post('/v1/refunds', { transaction_id, amount: '2.00', reason: 'broken' })
  const text = textOf((await client.get('/1/customers')).html)
  expect(text).toMatch(/Kim Berg buyer kim@example.com Visa\s1111 2 2,000.00\sEUR ?, 8.00\sSEK \d/)
  expect(text).toMatch(/new 0 /)
})
