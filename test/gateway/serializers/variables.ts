import { expect } from 'vitest'
import type { Plan, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { type Client, payment, URLS } from '../../helpers/gateway.ts'

/** Objects of a payment that has a value in every variable. */
export interface Filled {
  readonly paid: Transaction
  readonly plan: Plan
  /** Name of the merchant. */
  readonly shop: string
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.91 Safari/537.36'

const MOMENT = /^2026-03-14T1\d:\d\d:\d\dZ$/

/** Makes a payment with a value in every variable, and refunds a part of it. */
export async function payFilled(shop: Client): Promise<Omit<Filled, 'shop'>> {
  const terms = {
    name: 'Monthly',
    description: 'Each month',
    interval: 1,
    interval_unit: 'months',
    prices: '{"sek":"10.00"}',
    setup_fees: '{"sek":"1.00"}',
    periods: 12,
    trial_length: 7,
  }
  const plan = (await shop.post<Plan>('/v1/plans', terms)).body
  const fields = payment({
    customer_ref: 'c42',
    store_card: true,
    plan_id: plan.id,
    metadata: '{"products":[{"name":"Cup"},{"name":"Saucer"}]}',
    items: '[{"artno":"A","description":"Cup","amount":"10.00","qty":"1","vat":"25"}]',
    payment_details:
      '{"first_name":"Anna Maria","last_name":"Berg","zip":"11122","city":"Stockholm","address_1":"Storgatan 1","address_2":"Plan 2","country_code":"SWE","personal_number":"x"}',
    ...URLS,
  })
  const { id } = (
    await shop.post('/v1/transactions', fields, { 'user-agent': CHROME, 'accept-language': 'sv' })
  ).body
  await shop.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'Broken' })
  return { plan, paid: (await shop.get<Transaction>(`/v1/transactions/${id}`)).body }
}

type Printed = string | RegExp | ((filled: Filled) => string | null)

/** Printed value of each variable. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Printed>>>> = {
  transaction: {
    amount: '10.00',
    currency: 'sek',
    payment_ref: ({ paid }) => paid.payment_ref,
    metadata: /Cup/,
    created_at: MOMENT,
    id: ({ paid }) => String(paid.id),
    test: 'true',
    ...URLS,
    'merchant.name': ({ shop }) => shop,
    'client_info.browser': 'Chrome',
    "client_info['version']": '130.0.6723.91',
    'client_info.platform': 'Windows',
    'client_info.ip': /./,
    'client_info.accept_language': 'sv',
    transaction_type: 'credit_card',
    request_hash: /^[0-9a-f]{32}$/,
    response_hash: ({ paid }) => paid.response_hash,
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
    created_at: MOMENT,
    updated_at: MOMENT,
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
    'merchant.name': ({ shop }) => shop,
    created_at: MOMENT,
    updated_at: MOMENT,
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
    id: ({ paid }) => String(paid.id),
    type: 'credit_card',
    card_number: '411111******1111',
    card_holder: 'Anna Andersson',
    card_type: 'VISA',
    created_at: MOMENT,
    updated_at: MOMENT,
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
    id: ({ plan }) => String(plan.id),
    'prices.sek': '10.00',
    interval_unit: 'months',
    interval: '1',
    periods: '12',
    'setup_fees.sek': '1.00',
    name: 'Monthly',
    description: 'Each month',
    trial_length: '7',
    'merchant.name': ({ shop }) => shop,
    created_at: MOMENT,
    updated_at: MOMENT,
    status: 'active',
  },
  merchant: { name: ({ shop }) => shop, 'plans[0].name': 'Monthly' },
  refund: { amount: '1.00', reason: 'Broken' },
}

/** Template variables of the specification: objects, each with its names. */
export const VARIABLES: readonly (readonly [object: string, names: readonly string[]])[] =
  Object.entries(TABLE).map(([object, fields]) => [object, Object.keys(fields)])

/** Returns the expected value of a variable. */
export function printedBy(object: string, name: string, filled: Filled): unknown {
  const printed = TABLE[object]?.[name]
  if (printed === undefined) throw new TypeError(`There is no variable ${object}.${name}`)
  if (printed instanceof RegExp) return expect.stringMatching(printed)
  return typeof printed === 'string' ? printed : (printed(filled) ?? '')
}
