import { beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { presentClientInfo } from '../../../mock-gateway/serializers/transaction.ts'
import { type Fields, payment, prepared, TEMPLATES } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.91 Safari/537.36'
const BROWSER = { 'user-agent': CHROME, 'accept-language': 'sv-SE,sv;q=0.9' }

const answers: Partial<Record<'approved' | 'authorized' | 'pending' | 'declined', Transaction>> = {}
const shop = await sharedGateway({ templates: TEMPLATES })
beforeAll(async () => {
  const create = async (fields: Fields) =>
    (await shop.post('/v1/transactions', fields, BROWSER)).body
  const declined = payment({ card_cvv: '201' })
  await create(declined)
  const found = await shop.get<Transaction[]>('/v1/transactions', {
    'filter[payment_ref]': declined.payment_ref,
  })
  answers.approved = await create(payment({ store_card: true, customer_ref: 'c1', ...extras }))
  answers.authorized = await create(payment({ authorize: true }))
  answers.pending = await create(prepared())
  answers.declined = found.body[0] as Transaction
})

const extras = {
  vat_amount: '2.00',
  metadata: '{"a":1}',
  items: '[{"artno":"A","description":"Cup","amount":"10.00","qty":"1","vat":"25"}]',
  webhook: '{"trigger":"payment","url":"https://shop.example/hook"}',
  payment_details: '{"first_name":"Anna","last_name":"Andersson","country_code":"SWE"}',
  template_id: 3,
}

test('the fields of the oldest clients come in the order those clients saw', () => {
  const seen =
    'id created_at merchant_id amount vat_amount payment_ref ref card_holder card_number test metadata currency status ' +
    'card_type transaction_type template_id error cost success_url error_url items authorize href stored_card customer ' +
    'subscription payment_details refunds webhooks'
  const order = Object.keys(answers.approved as Transaction).filter((name) =>
    seen.split(' ').includes(name),
  )
  expect(order).toEqual(seen.split(' '))
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

test('the same user agent always gives the same result', () => {
  expect(present('curl/8.5.0')).toEqual(present('curl/8.5.0'))
})

test('a user agent of 130,000 characters is parsed', () => {
  expect(present('Mozilla/5.0 ('.repeat(10_000))).toBeDefined()
})
