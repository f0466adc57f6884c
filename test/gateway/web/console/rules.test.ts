import { beforeAll, expect, test } from 'vitest'
import type { RuleInput } from '../../../../mock-gateway/domain/rules/rules.ts'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const OFF: RuleInput = {
  name: 'dear',
  on: false,
  when: { amount_from: '20.00' },
  action: 'decline',
}

const shop = await sharedGateway({
  // The start-up configuration sets the settings of the first merchant.
  merchants: [
    { ...MERCHANT, settings: { rules: [OFF] } },
    { ...MERCHANT, id: 2 },
  ],
  control: 'a-key-of-our-own',
})
const client = await loggedIn(shop.gateway)
const free = await loggedIn(shop.gateway, 2)
beforeAll(async () => {
  for (const amount of ['10.00', '20.00', '30.00'])
    await shop.post(
      '/v1/transactions',
      payment({ amount, payment_ref: `order-${amount}`, customer_ref: 'kim' }),
    )
})

test('a rule is tested, saved, changed and deleted by the form', async () => {
  const { status, html } = await client.post('/1/rules/try', {
    name: 'often',
    on: 'true',
    action: 'three_d_secure',
    question: 'app',
    card_type: 'visa, mastercard',
    payments_of: 'customer_ref',
    payments_more_than: '1',
    payments_hours: '1',
  })
  expect([status, textOf(html).includes('The rule matches 1 of 3 payments.')]).toEqual([200, true])
  const saved = { name: 'cheap', action: 'decline', on: 'true', amount_to: '10.00', country: 'swe' }
  expect((await free.post('/2/rules/save', saved)).to).toBe('/console/2/rules?done=saved')
  await free.post('/2/rules/save', { name: 'other', action: 'three_d_secure' })
  const shown = async () => textOf((await free.get('/2/rules')).html)
  expect(await shown()).toMatch(/cheap on amount to 10\.00, country SWE Decline/)
  await free.post('/2/rules/save', { ...saved, on: 'false', country: '' })
  expect(await shown()).toMatch(/cheap off amount to 10\.00 Decline/)
  const { html: opened } = await free.get('/2/rules?rule=cheap')
  expect(opened).toContain('value="10.00"')
  expect(textOf(opened)).toContain('The rule matches 0 of 0 payments.')
  const wrong = await free.post('/2/rules/save', { ...saved, amount_to: 'much' })
  expect(wrong.html).toMatch(/id="wrong-rule-amount_to"[^>]*>when.amount_to: must be an amount/)
  await free.post('/2/rules/delete', { name: 'cheap' })
  expect(await shown()).not.toContain('cheap')
  expect(await shown()).toContain('other on every payment Authenticate')
})

test('past payments are checked like in a rule: with the brand of a stored card, without charges of subscriptions', async () => {
  const terms = { name: 'Box', interval: 1, interval_unit: 'months', prices: '{"sek":"9.00"}' }
  const { body: plan } = await shop.post('/v1/plans', terms)
  const { body } = await shop.post<{ readonly stored_card: { readonly token: string } }>(
    '/v1/transactions?extend=stored_card',
    payment({
      payment_ref: 'of-a-plan',
      plan_id: plan.id,
      customer_ref: 'robin',
      store_card: true,
    }),
  )
  const byToken = {
    card_number: body.stored_card.token,
    card_type: 'STORED_CARD',
    payment_ref: 'by-stored-card',
  }
  const paid = await shop.post('/v1/transactions', {
    ...payment(byToken),
    card_holder: undefined,
    card_cvv: undefined,
  })
  expect(paid.body).toMatchObject({ status: 'approved', card_type: 'STORED_CARD' })
  await shop.gateway.clock.advance({ days: 32 })
  const rule = { name: 'v', card_type: 'visa', action: 'decline' }
  const text = textOf((await client.post('/1/rules/try', rule)).html)
  expect(text).toContain('by-stored-card')
  expect(text).toContain('The rule matches 5 of 5 payments.')
})
