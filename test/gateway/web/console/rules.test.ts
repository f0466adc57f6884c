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
  merchants: [{ ...MERCHANT, settings: { rules: [OFF] } }],
  control: 'a-key-of-our-own',
})
const client = await loggedIn(shop.gateway)
beforeAll(async () => {
  for (const amount of ['10.00', '20.00', '30.00'])
    await shop.post(
      '/v1/transactions',
      payment({ amount, payment_ref: `order-${amount}`, customer_ref: 'kim' }),
    )
})

const pageOf = async (rule?: string) =>
  (await client.get(`/1/rules${rule === undefined ? '' : `?${new URLSearchParams({ rule })}`}`))
    .html

test('the page shows which past payments an inactive rule matches', async () => {
  const text = textOf(await pageOf())
  expect(text).toContain('last 3 payments')
  expect(text).toMatch(/dear no \{ "amount_from": "20\.00" \} decline 2/)
})

test('a rule is tested on past payments before it is turned on', async () => {
  const rule = {
    name: 'often',
    when: { payments: { of: 'customer_ref', more_than: 1, hours: 1 } },
    action: 'decline',
  }
  const text = textOf(await pageOf(JSON.stringify(rule)))
  expect(text).toContain('The rule matches 1 of 3 payments. Nothing was changed.')
  expect(text).toContain('order-30.00')
  expect(text).not.toContain('order-20.00')
})

test.each([
  ['text that is not JSON', '{', 'This is not JSON.'],
  [
    'a condition that there is not',
    '{"name":"a","when":{"colour":"red"},"action":"decline"}',
    'when: ',
  ],
  ['an action that there is not', '{"name":"a","when":{},"action":"shout"}', 'action: '],
])('%s is reported, and the typed values stay', async (_what, rule, problem) => {
  const html = await pageOf(rule)
  expect(textOf(html)).toContain(problem)
  expect(html).toContain(rule.replaceAll('"', '&quot;'))
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
  const text = textOf(
    await pageOf(JSON.stringify({ name: 'v', when: { card_type: ['visa'] }, action: 'decline' })),
  )
  expect(text).toContain('by-stored-card')
  expect(text).toContain('The rule matches 5 of 5 payments.')
})
