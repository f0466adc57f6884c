import { describe, expect, test } from 'vitest'
import type { Refund } from '../../../mock-gateway/contract/wire.ts'
import { type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { MONTHLY } from '../subscriptions/new-subscription.ts'
import { ACCEPTED, API, expectEach, outcome } from './outcomes.ts'

const shop = await sharedGateway()

const pay = async (over: Fields) => outcome(await shop.post(API, payment(over)))
const list = async (query: Fields) => outcome(await shop.get(API, query))

describe('amounts', () => {
  const FORMS = [
    '1e3',
    '0x10',
    '+1.00',
    '1,00',
    '1.0',
    '.5',
    '1.005',
    '１.００',
    '١٠.٠٠',
    'Infinity',
    'NaN',
    ' 1.00 ',
  ]

  test('number forms: only digits, a dot and two digits are accepted as an amount', async () => {
    await expectEach(FORMS, 1090, (amount) => pay({ amount }))
    const { id } = (await shop.post(API, payment({ authorize: true }))).body
    await expectEach(FORMS, 109, async (amount) =>
      outcome(await shop.put(`${API}/${id}/capture`, { amount })),
    )
    const refund = { transaction_id: id, reason: 'x' }
    await expectEach(FORMS, 109, async (amount) =>
      outcome(await shop.post('/v1/refunds', { ...refund, amount })),
    )
    await expectEach(FORMS.slice(0, 4), 206, (amount) => list({ 'filter[amount]': amount }))
  })

  test('amount overflow: nothing is rounded', async () => {
    const huge = [
      '99999999999999999999.99',
      '90071992547409.92',
      '9223372036854775808.00',
      `${'9'.repeat(300)}.00`,
    ]
    await expectEach(huge, 109, (amount) => pay({ amount }))
    await expectEach(huge, 206, (amount) => list({ 'filter[amount]': `..${amount}` }))
    const { body } = await shop.post(API, payment({ amount: '90071992547409.91' }))
    expect(body.amount).toBe('90071992547409.91')
    const { body: refund } = await shop.post<Refund>('/v1/refunds', {
      transaction_id: body.id,
      amount: '90071992547409.90',
      reason: 'nearly all',
    })
    expect(refund.amount).toBe('90071992547409.90')
    expect(
      outcome(
        await shop.post('/v1/refunds', { transaction_id: body.id, amount: '0.02', reason: 'x' }),
      ),
    ).toBe(134)
  })

  test('zero and negative amounts are rejected when paying, capturing, refunding and pricing', async () => {
    await expectEach(['-10.00', '-0.01'], 108, (amount) => pay({ amount }))
    expect(await pay({ amount: '0.00' })).toBe(109)
    const { id } = (await shop.post(API, payment({ authorize: true }))).body
    const amounts = ['-10.00', '-0.01', '0.00']
    await expectEach(amounts, 109, async (amount) =>
      outcome(await shop.put(`${API}/${id}/capture`, { amount })),
    )
    const refund = { transaction_id: id, reason: 'x' }
    const giveBack = async (amount: string) =>
      outcome(await shop.post('/v1/refunds', { ...refund, amount }))
    await expectEach(['-10.00', '-0.01'], 108, giveBack)
    expect(await giveBack('0.00')).toBe(109)
    await expectEach(['-1.00', '-0.01'], 195, async (amount) =>
      outcome(await shop.post('/v1/plans', { ...MONTHLY, prices: `{"sek":"${amount}"}` })),
    )
  })

  test('currency decimals and case follow the currency, not the language of the machine', async () => {
    await expectEach(['10.50', '0.01'], 109, (amount) => pay({ amount, currency: 'JPY' }))
    await expectEach(['1.234', '1.2340'], 1090, (amount) => pay({ amount, currency: 'kwd' }))
    await expectEach(['ILS', 'ils', 'Ils', 'INR', 'isk', 'LVL'], ACCEPTED, (currency) =>
      pay({ currency }),
    )
    await expectEach(['xxx', 'eek', 'bit'], 117, (currency) => pay({ currency }))
    const malformed = ['ıls', 'İLS', 'se', 'sek ', 'ｓｅｋ', '__proto__', 'toString']
    await expectEach(malformed, 115, (currency) => pay({ currency }))
  })
})

describe('ids and pages', () => {
  const NO_IDS = [
    '1e3',
    '0x1',
    '01',
    '-1',
    '0',
    '+1',
    '1.0',
    '9223372036854775808',
    '9007199254740993',
    '1;drop',
    '１',
    '%201',
  ]

  test('an id is accepted in decimal digits only, wherever it is sent', async () => {
    await shop.post(API, payment())
    await expectEach(NO_IDS, 128, async (id) => outcome(await shop.get(`${API}/${id}`)))
    for (const [path, code] of [
      ['stored_cards', 137],
      ['customers', 142],
      ['plans', 135],
      ['subscriptions', 141],
      ['webhooks', 204],
      ['refunds', 196],
    ] as const)
      await expectEach(NO_IDS, code, async (id) => outcome(await shop.get(`/v1/${path}/${id}`)))
    await expectEach(NO_IDS, 128, async (id) => {
      const refund = { transaction_id: decodeURIComponent(id), amount: '1.00', reason: 'x' }
      return outcome(await shop.post('/v1/refunds', refund))
    })
  })

  test('limit, offset and start_id must be whole numbers, and a huge limit counts as 1000', async () => {
    const bad = ['-1', '1e9', 'NaN', '1.5', '9223372036854775808', ' 1', '0x1', '１']
    for (const name of ['limit', 'offset', 'start_id'])
      await expectEach(bad, 206, (value) => list({ [name]: value }))
    expect(await list({ limit: 0 })).toBe(206)
    await expectEach([1, 1_000, 1_000_000_000, '9007199254740991'], ACCEPTED, (limit) =>
      list({ limit }),
    )
    await expectEach([0, 1_000_000_000, '9007199254740991'], ACCEPTED, (offset) => list({ offset }))
    await expectEach([0, '9007199254740991'], ACCEPTED, (start_id) => list({ start_id }))
  })
})

describe('filter and order', () => {
  test('SQL in filter and order_by is not executed', async () => {
    await shop.post(API, payment({ payment_ref: 'a%b_c\\d' }))
    await expectEach(
      ['1..1) OR 1=1--', "1' OR '1'='1", '1;drop table transactions', '1 union select 1'],
      206,
      (value) => list({ 'filter[amount]': value }),
    )
    await expectEach(
      ['x;drop', 'secret', 'merchant_id', 'password', 'id)--', 'toString', 'constructor.name'],
      205,
      (field) => list({ [`filter[${field}]`]: 1 }),
    )
    const orders = [
      'id;select pg_sleep(9)',
      'secret:desc',
      '1',
      '(select 1)',
      'ID',
      '"id"',
      'toString',
      'valueOf:desc',
    ]
    await expectEach(orders, 205, (order_by) => list({ order_by }))
    await expectEach(['id:desc:asc', 'id:up', 'id:desc;drop', 'id:'], 206, (order_by) =>
      list({ order_by }),
    )
    const found = async (value: string) =>
      (await shop.get<unknown[]>(API, { 'filter[payment_ref]': value })).body.length
    await expectEach(["' OR 1=1--", '%', '_', 'a%', 'a_b_c\\d', '\\', 'a%b_c\\\\d'], 0, found)
    await expectEach(['a%b_c\\d', 'a%*', '*\\d', '*_c*', 'a*b*c*d'], 1, found)
  })

  test('filters cannot guess a secret letter by letter', async () => {
    const { href } = (await shop.post(API, prepared())).body
    const token = href.split('/').at(-1) ?? ''
    const found = async (value: string) =>
      (await shop.get<unknown[]>(API, { 'filter[href_token]': value })).body.length
    expect([
      await found(token),
      await found(token.slice(0, -1)),
      await found(token.toLowerCase()),
    ]).toEqual([1, 0, 0])
    await expectEach([`${token.slice(0, 3)}*`, '*', `*${token}`], 206, (value) =>
      list({ 'filter[href_token]': value }),
    )
  })

  test('long inputs get an answer, and never status 500', async () => {
    const long = [
      '4 '.repeat(50_000),
      'a'.repeat(100_000),
      '1..'.repeat(30_000),
      'a@'.repeat(50_000),
      `${'0'.repeat(99_999)}x`,
    ]
    const fields = [
      'card_number',
      'card_holder',
      'card_expiry',
      'amount',
      'currency',
      'success_url',
      'metadata',
      'start_date',
    ]
    const statuses: number[] = []
    const keep = async (answer: Promise<{ readonly status: number }>) =>
      void statuses.push((await answer).status)
    for (const text of long) {
      for (const field of fields)
        await keep(shop.post(API, payment({ process: true, [field]: text, plan_id: 1 })))
      await keep(
        shop.post(API, prepared({ webhook: JSON.stringify({ trigger: 'payment', email: text }) })),
      )
      for (const field of ['id', 'amount', 'created_at', 'payment_ref', 'test'])
        await keep(shop.get(API, { [`filter[${field}]`]: text.slice(0, 4_000) }))
      await keep(shop.get(API, { limit: 1 }, { 'user-agent': text.slice(0, 12_000) }))
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })

  test('a filter with many wildcards is rejected', async () => {
    await expectEach(['*a'.repeat(6), '*a'.repeat(500), 'a*b*c*d*e*f*g'], 206, (value) =>
      list({ 'filter[payment_ref]': value }),
    )
    await expectEach(['*a'.repeat(5), '*'.repeat(1_000)], ACCEPTED, (value) =>
      list({ 'filter[payment_ref]': value }),
    )
    await expectEach(['a'.repeat(2_001), `*${'a'.repeat(2_000)}`], 206, (value) =>
      list({ 'filter[payment_ref]': value }),
    )
  })

  test('impossible dates and invalid ranges are rejected', async () => {
    const days = [
      '20260230',
      '20261301',
      '2026-01-01',
      '20260101..20250101',
      '..',
      '20260101...20260102',
      '00000000',
      '1',
    ]
    await expectEach(days, 206, (value) => list({ 'filter[created_at]': value }))
    await expectEach(['5..1', '..', '1..2..3', 'a..b', '1..9007199254740993'], 206, (value) =>
      list({ 'filter[id]': value }),
    )
  })
})

describe('texts that break other formats', () => {
  const TRICKS = [
    ']]>',
    '<!ENTITY x "y">',
    '&x;',
    'a:b',
    '</metadata>',
    '=cmd()',
    '+1+1',
    '@SUM(A1)',
    '"quoted",;',
    '\t=1',
  ]

  test('markup and formulas in metadata are stored and returned as sent', async () => {
    const metadata = Object.fromEntries(TRICKS.map((trick) => [trick, trick]))
    const { body } = await shop.post(API, prepared({ metadata: JSON.stringify(metadata) }))
    expect(body.metadata).toEqual(metadata)
    expect((await shop.get(`${API}/${body.id}`)).body.metadata).toEqual(metadata)
  })
})
