import { beforeAll, describe, expect, test } from 'vitest'
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

const is = {
  amount: (value: unknown) => typeof value === 'string' && /^\d+\.\d\d$/.test(value),
  time: (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value),
  integer: (value: unknown) => Number.isSafeInteger(value),
  text: (value: unknown) => typeof value === 'string',
  flag: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  reference: (value: unknown) => is.object(value) && is.integer((value as { id: unknown }).id),
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  md5: (value: unknown) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value),
} as const

/** Fields of the specification, with their type, and whether they can be null. */
const FIELDS: readonly (readonly [
  name: keyof Transaction,
  type: keyof typeof is,
  nullable?: 'or null',
])[] = [
  ['id', 'integer'],
  ['created_at', 'time'],
  ['processed_at', 'time', 'or null'],
  ['merchant_id', 'integer'],
  ['amount', 'amount'],
  ['vat_amount', 'amount', 'or null'],
  ['payment_ref', 'text'],
  ['ref', 'text', 'or null'],
  ['card_holder', 'text', 'or null'],
  ['card_number', 'text', 'or null'],
  ['card_expiry', 'text', 'or null'],
  ['card_type', 'text', 'or null'],
  ['test', 'flag'],
  ['currency', 'text'],
  ['status', 'text'],
  ['status_details', 'text'],
  ['fail_message', 'text'],
  ['transaction_type', 'text', 'or null'],
  ['payment_method', 'text'],
  ['payment_request', 'object'],
  ['payment_response', 'object', 'or null'],
  ['template_id', 'integer', 'or null'],
  ['error', 'object', 'or null'],
  ['cost', 'object'],
  ['success_url', 'text', 'or null'],
  ['error_url', 'text', 'or null'],
  ['metadata', 'object', 'or null'],
  ['items', 'list'],
  ['authorize', 'flag'],
  ['link_payment', 'flag'],
  ['mpi_ref', 'text', 'or null'],
  ['href', 'text'],
  ['refunds', 'list'],
  ['refunds_all', 'list'],
  ['captures', 'list'],
  ['org_auth_amount', 'number'],
  ['stored_card', 'reference', 'or null'],
  ['customer', 'reference', 'or null'],
  ['subscription', 'reference', 'or null'],
  ['webhooks', 'list'],
  ['payment_details', 'object', 'or null'],
  ['event_context', 'object'],
  ['log_events', 'list'],
  ['client_info', 'object'],
  ['currency_converter', 'object', 'or null'],
  ['wallet_type', 'text', 'or null'],
  ['dynamic_webhooks', 'object'],
  ['customer_name', 'text'],
  ['provider_ref', 'text'],
  ['request_hash', 'md5'],
  ['response_hash', 'md5'],
]

for (const status of ['approved', 'authorized', 'pending', 'declined'] as const)
  describe(`a transaction that is ${status}`, () => {
    for (const [name, type, nullable] of FIELDS)
      test(`has ${name}: ${type}${nullable ? ` ${nullable}` : ''}`, () => {
        const transaction = answers[status] as Transaction
        expect(Object.keys(transaction)).toContain(name)
        const value = transaction[name]
        expect(value === null ? nullable : is[type](value), JSON.stringify(value)).toBeTruthy()
      })

    test('has exactly the documented fields', () => {
      const known: readonly string[] = FIELDS.map(([name]) => name)
      expect(
        Object.keys(answers[status] as Transaction).filter((name) => !known.includes(name)),
      ).toEqual([])
    })
  })

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

test('dynamic_webhooks lists the attached webhooks by trigger, also with unknown triggers', async () => {
  const letter = { trigger: 'constructor', email: 'kim@shop.example' }
  const call = {
    trigger: 'refund',
    url: 'https://shop.example/refund',
    http_method: 'get',
    data_format: 'xml',
  }
  const { body } = await shop.post(
    '/v1/transactions',
    payment({ webhook: JSON.stringify([letter, call, call]) }),
  )
  const { trigger: _trigger, ...shown } = { type: 'CustomHttp', email: null, ...call }
  expect(body.dynamic_webhooks).toEqual({
    constructor: [
      { type: 'Email', url: null, http_method: null, data_format: null, email: letter.email },
    ],
    refund: [shown, shown],
  })
  expect((answers.pending as Transaction).dynamic_webhooks).toEqual({})
})

test("a merchant's value is returned in its field", () => {
  expect(answers.approved).toMatchObject({
    vat_amount: '2.00',
    metadata: { a: 1 },
    items: [{ artno: 'A', description: 'Cup', amount: '10.00', qty: '1', vat: '25' }],
    webhooks: [{ trigger: 'payment', url: 'https://shop.example/hook' }],
    dynamic_webhooks: {
      payment: [
        {
          type: 'CustomHttp',
          url: 'https://shop.example/hook',
          http_method: 'post',
          data_format: 'json',
          email: null,
        },
      ],
    },
    template_id: 3,
    ref: 'c1',
    customer_name: 'Anna Andersson',
  })
})

test('payment_details contains every field of the specification, with the card’s fields filled in', () => {
  const fields =
    'id card_number card_holder card_type customer_number personal_number first_name last_name zip country_code country ' +
    'address city bank_name bank_acc_lastdigits phone ssn card_issuer credit_or_debit card_country_code campaign ' +
    'segmentation company_name address_1 address_2 swish_number vipps_number email phone_prefix state_or_province gender'
  const details = answers.approved?.payment_details
  expect(Object.keys(details ?? {})).toEqual(fields.split(' '))
  expect(details).toMatchObject({
    card_number: '411111******1111',
    card_holder: 'Anna Andersson',
    card_type: 'VISA',
    first_name: 'Anna',
    country_code: 'SWE',
    zip: null,
  })
})

test('log_events list the history, each with id, type, time and data', () => {
  expect(answers.declined?.log_events).toEqual([
    {
      id: expect.any(Number),
      event_type: 'payment',
      created_at: '2026-03-14T12:00:00Z',
      data: { event: 'created', process: true, by: 'merchant', ip: '127.0.0.1' },
    },
    {
      id: expect.any(Number),
      event_type: 'payment',
      created_at: '2026-03-14T12:00:00Z',
      data: {
        event: 'charged',
        status: 'declined',
        error: 'errors.payment.declined',
        by: 'merchant',
        ip: '127.0.0.1',
      },
    },
  ])
})

test('client_info names the browser of the user agent', () => {
  expect(answers.approved?.client_info).toEqual({
    raw_user_agent: CHROME,
    browser: 'Chrome',
    version: '130.0.6723.91',
    platform: 'Windows',
    ip: '127.0.0.1',
    accept_language: 'sv-SE,sv;q=0.9',
  })
})

test('payment_request shows the request without its CVV, the card number masked', () => {
  const request = answers.approved?.payment_request
  expect(request).toMatchObject({
    amount: '10.00',
    card_number: '411111******1111',
    store_card: 'true',
  })
  expect(request).not.toHaveProperty('card_cvv')
})

test('payment_response shows the bank’s answer', () => {
  expect(answers.approved?.payment_response).toEqual({
    result: 'approved',
    auth_code: expect.stringMatching(/^\d{6}$/),
    provider_ref: answers.approved?.provider_ref,
  })
})
