import { expect, test } from 'vitest'
import { presentClientInfo } from '../../../mock-gateway/serializers/transaction.ts'
import { payment, TEMPLATES } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway({ templates: TEMPLATES })

const extras = {
  vat_amount: '2.00',
  metadata: '{"a":1}',
  items: '[{"artno":"A","description":"Cup","amount":"10.00","qty":"1","vat":"25"}]',
  webhook: '{"trigger":"payment","url":"https://shop.example/hook"}',
  payment_details: '{"first_name":"Anna","last_name":"Andersson","country_code":"SWE"}',
  template_id: 3,
}

test('the fields of the oldest clients come in the order those clients saw', async () => {
  const order = payment({ store_card: true, customer_ref: 'c1', ...extras })
  const { body } = await shop.post('/v1/transactions', order)
  const seen =
    'id created_at merchant_id amount vat_amount payment_ref ref card_holder card_number test metadata currency status ' +
    'card_type transaction_type template_id error cost success_url error_url items authorize href stored_card customer ' +
    'subscription payment_details refunds webhooks'
  const names = seen.split(' ')
  expect(Object.keys(body).filter((name) => names.includes(name))).toEqual(names)
})

const present = (user_agent: string, accept_language = 'en') =>
  presentClientInfo({ user_agent, ip: '10.0.0.1', accept_language })

for (const [userAgent, browser, version, platform] of [
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Firefox',
    '132.0',
    'Linux',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    '17.5',
    'iOS',
  ],
  ['', '', '', null],
  ['<script>', '', '', null],
] as const)
  test(`the user agent "${userAgent.slice(0, 40)}" is recognised as ${browser || 'unknown'}`, () => {
    expect(present(userAgent)).toMatchObject({
      raw_user_agent: userAgent,
      browser,
      version,
      platform,
    })
  })

test('accept_language is null if the browser sends none', () => {
  expect(present('curl/8.5.0', '').accept_language).toBeNull()
  expect(present('curl/8.5.0', 'sv').accept_language).toBe('sv')
})

test('a user agent of 130,000 characters is parsed', () => {
  expect(present('Mozilla/5.0 ('.repeat(10_000))).toBeDefined()
})
