import { expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import type { RuleInput } from '../../../mock-gateway/domain/rules/rules.ts'
import { type Fields, MERCHANT, payment, type TestGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { cardOf, payerAt } from '../three-d-secure/payer.ts'

const RULES: RuleInput[] = [
  { name: 'large', when: { amount_from: '5000.00', amount_to: '5999.99' }, action: 'decline' },
  { name: 'quiet', when: { customer_ref: ['tester'] }, action: 'skip_webhook' },
  { name: 'abroad', when: { country: ['NOR'], currency: ['sek'] }, action: 'decline' },
  { name: 'careful', when: { card_type: ['mastercard'] }, action: 'three_d_secure' },
  { name: 'dear', when: { amount_from: '7000.00' }, action: 'three_d_secure', question: 'app' },
  {
    name: 'busy',
    when: { payments: { of: 'customer_ref', more_than: 2, hours: 24 } },
    action: 'decline',
  },
  { name: 'planned', on: false, when: {}, action: 'decline' },
]
const RULED = { ...MERCHANT, settings: { rules: RULES, fraud_limit: 80 } }
const NONE = { ...MERCHANT, id: 2 }
const WITHOUT_LIMIT = { ...MERCHANT, id: 3, settings: { rules: RULES } }
const WITHOUT_RULES = { ...MERCHANT, id: 4, settings: { fraud_limit: 80 } }

const shop = await sharedGateway({ merchants: [RULED, NONE, WITHOUT_LIMIT, WITHOUT_RULES] })

const pay = async (over: Fields = {}, client: Pick<TestGateway, 'post'> = shop) =>
  (await client.post('/v1/transactions', payment(over))).body
const newest = async () => {
  const [transaction] = (await shop.get<Transaction[]>('/v1/transactions', { limit: 1 })).body
  if (!transaction) throw new TypeError('There is no transaction')
  return transaction
}
const told = async (type: string) =>
  (await newest()).log_events
    .filter(({ event_type }) => event_type === type)
    .map(({ data }) => data)

test('a rule that declines returns error 261, and the log names the rule', async () => {
  expect(await pay({ amount: '5000.00' })).toMatchObject({
    name: 'errors.rules_parser.declined',
    code: 261,
  })
  expect((await newest()).status).toBe('declined')
  expect(await told('rules')).toMatchObject([
    { event: 'rules_matched', rules: [{ name: 'large', action: 'decline' }] },
  ])
  expect(await pay({ amount: '6000.00' })).toMatchObject({ status: 'approved' })
})

test('a rule applies if all of its conditions apply, and a rule that is off has no effect', async () => {
  const from = (country_code: string) => ({ 'payment_details[country_code]': country_code })
  expect((await pay(from('NOR'))).code).toBe(261)
  expect((await pay(from('SWE'))).status).toBe('approved')
  expect((await pay({ ...from('NOR'), currency: 'eur' })).status).toBe('approved')
})

test("a rule sets the challenge type, for example for large amounts, but the card's own challenge type takes precedence", async () => {
  const asked = async (card_number: string) =>
    (await payerAt(shop).pay({ amount: '7000.00', card_number })).html
  expect(await asked(cardOf(10))).toContain('data-question="app"')
  expect(await asked('4111111111111111')).toContain('data-question="app"')
  expect(await asked(cardOf(22))).toContain('data-question="choice"')
})

test('a rule that skips webhooks declines with error 2610', async () => {
  expect(await pay({ customer_ref: 'tester' })).toMatchObject({ code: 2610 })
})

test('earlier payments of a customer count within the hours of the rule', async () => {
  const again = () => pay({ customer_ref: 'often' })
  expect([await again(), await again(), await again()].map(({ status }) => status)).toEqual(
    Array(3).fill('approved'),
  )
  expect((await again()).code).toBe(261)
  expect((await pay({ customer_ref: 'seldom' })).status).toBe('approved')
  shop.clock.advance(24 * 3_600_000 + 1)
  expect((await again()).status).toBe('approved')
})

test('a rule requires authentication of payers on the page only', async () => {
  const asked = await payerAt(shop).pay({
    card_number: '5555555555554444',
    'metadata[service_instructions][fraud_score]': 0,
  })
  expect(asked.address).toContain('/v1/acs/')
  expect((await pay({ card_number: cardOf(1, 'mastercard') })).status).toBe('approved')
})

test('the fraud check scores instruction, amount and card, and rejects payments from the limit upwards', async () => {
  const scored = async (over: Fields) => {
    const { status, code } = await pay(over)
    return [
      status ?? code,
      ...(await told('fraud_check')).map(({ score, refused }) => [score, refused]),
    ]
  }
  expect(await scored({})).toEqual(['approved', [0, false]])
  expect(await scored({ 'metadata[service_instructions][fraud_score]': 79 })).toEqual([
    'approved',
    [79, false],
  ])
  expect(await scored({ 'metadata[service_instructions][fraud_score]': 80 })).toEqual([
    129,
    [80, true],
  ])
  expect(await scored({ amount: '6000.85' })).toEqual([129, [85, true]])
  expect(await scored({ card_number: '4012888888881881' })).toEqual(['approved', [60, false]])
})

test('rules apply without a fraud limit, and a limit applies without rules', async () => {
  const suspect = { 'metadata[service_instructions][fraud_score]': 80 }
  expect((await pay({ amount: '5000.00' }, shop.as(WITHOUT_LIMIT))).code).toBe(261)
  expect((await pay(suspect, shop.as(WITHOUT_LIMIT))).status).toBe('approved')
  expect((await pay({ amount: '5000.00' }, shop.as(WITHOUT_RULES))).status).toBe('approved')
  expect((await pay(suspect, shop.as(WITHOUT_RULES))).code).toBe(129)
})
