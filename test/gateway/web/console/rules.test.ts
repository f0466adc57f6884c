import { beforeAll, expect, test } from 'vitest'
import type { RuleInput } from '../../../../mock-gateway/domain/rules/rules.ts'
import { MERCHANT, payment, prepared } from '../../../helpers/gateway.ts'
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

const pageOf = async (rule?: string) =>
  (await client.get(`/1/rules${rule === undefined ? '' : `?${new URLSearchParams({ rule })}`}`))
    .html

test('the page shows which past payments an inactive rule matches', async () => {
  const text = textOf(await pageOf())
  expect(text).toContain('Payments that are compared: 3')
  expect(text).toMatch(/dear off amount from 20\.00 Decline with error 261 2/)
})

test('the page of a merchant without rules counts the same payments', async () => {
  const other = shop.as({ ...MERCHANT, id: 2 })
  await other.post('/v1/transactions', prepared())
  await other.post('/v1/transactions', payment())
  expect(textOf((await free.get('/2/rules')).html)).toContain('Payments that are compared: 1')
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

test('the form of a new rule is empty, and its example is a hint', async () => {
  const { html } = await free.get('/2/rules')
  expect(html).toMatch(/name="name" value="" placeholder="large orders"/)
  expect(html).toMatch(/name="amount_from" value="" placeholder="5000.00"/)
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
  await free.post('/2/rules/delete', { name: 'cheap' })
  expect(await shown()).not.toContain('cheap')
  expect(await shown()).toContain('other on every payment Authenticate')
})

test('a rule of the start-up configuration is not changed by the form', async () => {
  const { status, html } = await client.post('/1/rules/save', { name: 'dear', action: 'decline' })
  expect([status, textOf(html).includes('The start-up configuration defines rules')]).toEqual([
    400,
    true,
  ])
})

test.each([
  [{ name: '', action: 'decline' }, 'name: '],
  [{ name: 'a', action: 'decline', amount_from: 'much' }, 'when.amount_from: '],
  [{ name: 'a', action: 'decline', payments_of: 'card_number' }, 'when.payments.more_than: '],
  [
    { name: 'a', action: 'decline', payments_of: 'card_number', payments_more_than: '1' },
    'when.payments.hours: ',
  ],
])('the form keeps an invalid rule with the reason: %o', async (typed, problem) => {
  for (const path of ['/1/rules/try', '/1/rules/save']) {
    const { html } = await client.post(path, typed)
    expect(textOf(html)).toContain(problem)
    for (const value of Object.values(typed)) expect(html).toContain(`"${value}"`)
  }
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
  expect(textOf(html)).toContain(textOf(rule))
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
