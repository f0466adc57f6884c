import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Plan } from '../../../mock-gateway/contract/plan.ts'
import type { Transaction } from '../../../mock-gateway/contract/transaction.ts'
import { readSettings } from '../../../mock-gateway/domain/merchant.ts'
import { loadTemplateVariables } from '../../../mock-gateway/presentation/template-variables.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { findRow } from '../../../mock-gateway/storage/rows.ts'
import { MERCHANT, payment, startGateway } from '../../helpers/gateway.ts'
import { shown } from '../templates/rendered.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.91 Safari/537.36'
const ADDRESSES = { base: 'http://localhost:4400', pay: 'http://localhost:4400', cdn: 'http://localhost:4400' }

let folder: string
let variables: Record<string, unknown>
let paid: Transaction
let plan: Plan

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'variables-'))
  const file = join(folder, 'gateway.db')
  const shop = await startGateway({ database: file })
  plan = (
    await shop.post<Plan>('/v1/plans', {
      name: 'Monthly',
      description: 'Each month',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
      setup_fees: '{"sek":"1.00"}',
      periods: 12,
      trial_length: 7,
    })
  ).body
  const fields = payment({
    customer_ref: 'c42',
    store_card: true,
    plan_id: plan.id,
    metadata: '{"products":[{"name":"Cup"}]}',
    items: '[{"artno":"A","description":"Cup","amount":"10.00","qty":"1","vat":"25"}]',
    payment_details:
      '{"first_name":"Anna Maria","last_name":"Berg","zip":"11122","city":"Stockholm","address_1":"Storgatan 1","address_2":"Plan 2","country_code":"SWE","personal_number":"x"}',
    success_url: 'https://shop.example/thanks',
    error_url: 'https://shop.example/sorry',
  })
  paid = (await shop.post('/v1/transactions', fields, { 'user-agent': CHROME, 'accept-language': 'sv' })).body
  await shop.post('/v1/refunds', { transaction_id: paid.id, amount: '1.00', reason: 'Broken' })
  paid = (await shop.get(`/v1/transactions/${paid.id}`)).body
  await shop.close()
  const database = await openDatabase(file)
  const row = await findRow(database.db, 'transactions', MERCHANT.id, paid.id)
  if (!row) throw new TypeError('The payment is not there')
  const settings = readSettings('{"settings_hosted":{"layout":{"name":"Cups"}}}')
  const merchant = { ...MERCHANT, name: 'A shop', settings }
  variables = {
    ...(await loadTemplateVariables({ queries: database.db, merchant, addresses: ADDRESSES, locale: 'en' }, row)),
  }
  await database.close()
})
afterAll(() => rm(folder, { recursive: true }))

const printed = (path: string) => shown(`<pre>{{ ${path} }}</pre>`, variables).slice(5, -6)

/** The specification's table of template variables: what each prints. */
const TABLE = () => ({
  transaction: {
    amount: '10.00',
    currency: 'sek',
    payment_ref: paid.payment_ref,
    metadata: /Cup/,
    created_at: '2026-03-14T12:00:00Z',
    id: String(paid.id),
    test: 'true',
    success_url: 'https://shop.example/thanks',
    error_url: 'https://shop.example/sorry',
    'merchant.name': 'A shop',
    'client_info.browser': 'Chrome',
    "client_info['version']": '130.0.6723.91',
    'client_info.platform': 'Windows',
    'client_info.ip': /./,
    'client_info.accept_language': 'sv',
    transaction_type: 'credit_card',
    request_hash: /^[0-9a-f]{32}$/,
    response_hash: paid.response_hash,
    link_payment: 'false',
    cost: /percentual_fee/,
  },
  subscription: {
    id: /^\d+$/,
    'plan.name': 'Monthly',
    status: 'active',
    price: '10.00',
    interval_unit: 'months',
    interval: '1',
    total_periods: '12',
    period_count: /^\d+$/,
    created_at: '2026-03-14T12:00:00Z',
    updated_at: '2026-03-14T12:00:00Z',
    next_at: /^2026-/,
    'customer.ref': 'c42',
    periods_left: /^\d+$/,
    metadata: /^(?:|.*Cup.*)$/,
    debt: '0.00',
    multiplier: '1',
    retry_count: '0',
  },
  stored_card: {
    id: /^\d+$/,
    ref: /^/,
    'merchant.name': 'A shop',
    created_at: '2026-03-14T12:00:00Z',
    updated_at: '2026-03-14T12:00:00Z',
    expires: /^203\d-/,
    card_type: 'VISA',
    currency: 'SEK',
    'customer.id': /^\d+$/,
    card_number: '411111******1111',
    status: 'active',
    card_holder: 'Anna Andersson',
    test: 'true',
  },
  payment_details: {
    id: String(paid.id),
    type: 'credit_card',
    card_number: '411111******1111',
    card_holder: 'Anna Andersson',
    card_type: 'VISA',
    created_at: '2026-03-14T12:00:00Z',
    updated_at: '2026-03-14T12:00:00Z',
    customer_number: '',
    first_name: 'Anna Maria',
    last_name: 'Berg',
    zip: '11122',
    country_code: 'SWE',
    address: '',
    city: 'Stockholm',
    personal_number: 'x',
    mask_first_name: 'A*** M****',
    mask_last_name: 'B***',
    mask_zip: '1****',
    mask_address_1: 'S******** 1',
    mask_address_2: 'P*** 2',
    mask_city: 'S********',
  },
  plan: {
    id: String(plan.id),
    'prices.sek': '10.00',
    interval_unit: 'months',
    interval: '1',
    periods: '12',
    'setup_fees.sek': '1.00',
    name: 'Monthly',
    description: 'Each month',
    trial_length: '7',
    'merchant.name': 'A shop',
    created_at: '2026-03-14T12:00:00Z',
    updated_at: '2026-03-14T12:00:00Z',
    status: 'active',
  },
  merchant: { name: 'A shop', 'plans[0].name': 'Monthly' },
  refund: { amount: '1.00', reason: 'Broken' },
})

/** Read when the tests run: before, there is no payment. */
const NAMES = {
  transaction:
    "amount currency payment_ref metadata created_at id test success_url error_url merchant.name client_info.browser client_info['version'] client_info.platform client_info.ip client_info.accept_language transaction_type request_hash response_hash link_payment cost",
  subscription:
    'id plan.name status price interval_unit interval total_periods period_count created_at updated_at next_at customer.ref periods_left metadata debt multiplier retry_count',
  stored_card:
    'id ref merchant.name created_at updated_at expires card_type currency customer.id card_number status card_holder test',
  payment_details:
    'id type card_number card_holder card_type created_at updated_at customer_number first_name last_name zip country_code address city personal_number mask_first_name mask_last_name mask_zip mask_address_1 mask_address_2 mask_city',
  plan: 'id prices.sek interval_unit interval periods setup_fees.sek name description trial_length merchant.name created_at updated_at status',
  merchant: 'name plans[0].name',
  refund: 'amount reason',
} as const

for (const [object, names] of Object.entries(NAMES))
  describe(`the variable ${object}`, () => {
    for (const name of names.split(' '))
      test(`has ${name}`, () => {
        const fields: Readonly<Record<string, string | RegExp>> = TABLE()[object as keyof typeof NAMES]
        const expected = fields[name]
        const text = printed(`${object}.${name}`)
        if (expected instanceof RegExp) expect(text).toMatch(expected)
        else expect(text).toBe(expected)
      })
  })

describe('of what old templates print', () => {
  for (const [path, expected] of [
    ['transaction.href', /^http:\/\/localhost:4400\/v1\/form\//],
    ['currency', 'sek'],
    ["transaction.metadata['products'][0]['name']", 'Cup'],
    ['transaction.payment_details.mask_city', 'S********'],
    ['transaction.payment_details.segmentation', ''],
    ["transaction.convert_currency['amount']", ''],
    ["transaction.merchant.settings_hosted['v2'].layout.name", 'Cups'],
    ["transaction.merchant.settings_hosted['v2']['swish']['active'] | default_false", 'false'],
    ['transaction.refunds.last.amount', '1.00'],
    ['transaction.refunds.last.reason', 'Broken'],
    ['transaction.items[0].description', 'Cup'],
    ['transaction.customer.ref', 'c42'],
    ['transaction.subscription.plan.name', 'Monthly'],
    ['transaction.campaigns.size', '0'],
  ] as const)
    test(path, () => {
      if (expected instanceof RegExp) expect(printed(path)).toMatch(expected)
      else expect(printed(path)).toBe(expected)
    })
})

test('security/25-liquid-prototype: neither a secret nor the token of a card is among them', () => {
  const text = JSON.stringify(variables)
  expect(text).toContain('411111******1111')
  for (const secret of [MERCHANT.secret, MERCHANT.password, '"token"', 'private_key', '"secret"'])
    expect(text).not.toContain(secret)
})
