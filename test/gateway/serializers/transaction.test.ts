import { beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
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
