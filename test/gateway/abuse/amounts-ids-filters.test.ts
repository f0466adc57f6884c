import { describe, expect, test } from 'vitest'
import { type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { API, expectEach, outcome } from './outcomes.ts'

const shop = await sharedGateway()
const list = async (query: Fields) => outcome(await shop.get(API, query))

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
