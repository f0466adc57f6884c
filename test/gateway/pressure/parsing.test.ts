import { constants, publicEncrypt } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Refund } from '../../../mock-gateway/contract/refund.ts'
import {
  CARD,
  encode,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'
import { MONTHLY } from '../subscriptions/requests.ts'

const API = '/v1/transactions'
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const ACCEPTED = 200

let shop: TestGateway
beforeAll(async () => {
  shop = await startGateway()
})
afterAll(() => shop.close())

let order: Fields
beforeEach(() => {
  order = hashed(prepared(), MERCHANT)
})

/** 200, or the code of the refusal. */
const outcome = ({ status, body }: { status: number; body: unknown }): number =>
  status === 200 ? ACCEPTED : (body as { code: number }).code

const sendForm = async (body: string, type = FORM) =>
  outcome(await shop.send('POST', API, body, { 'content-type': type }))
const sendJson = (body: string) => sendForm(body, JSON_TYPE)
/** A form that is accepted as it is, and what is added to it. */
const addToForm = (text: string, type?: string) => sendForm(`${encode(order)}&${text}`, type)
/** As `addToForm`, for members of a JSON object. */
const addToJson = (members: string) => sendJson(JSON.stringify(order).replace('{', `{${members},`))
const pay = async (over: Fields) => outcome(await shop.post(API, payment(over)))
const prepare = async (over: Fields) => outcome(await shop.post(API, prepared(over)))
const list = async (query: Fields | string) => {
  const answer = await shop.get<{ id: number }[]>(
    typeof query === 'string' ? `${API}?${query}` : API,
    typeof query === 'string' ? {} : query,
  )
  return outcome(answer)
}

/** What each input leads to, beside what it should lead to. */
async function expectEach<Input>(inputs: readonly Input[], code: number, send: (input: Input) => Promise<number>) {
  const seen: (readonly [Input, number])[] = []
  for (const input of inputs) seen.push([input, await send(input)])
  expect(seen).toEqual(inputs.map((input) => [input, code]))
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

describe('what is sent as another type', () => {
  test('62 type confusion: a list or an object where a text belongs, or two values, is refused', async () => {
    await expectEach(['test=false', 'amount[]=1', 'amount[$gt]=', 'amount=99.00'], 253, addToForm)
    await expectEach(['order_by[]=id', 'limit[$gt]=1', 'order_by=id&order_by=amount', 'start_id[]=1'], 253, list)
    await expectEach(['filter[status][$ne]=x', 'filter[id][]=1', 'filter[amount][gt]=1'], 206, list)
    await expectEach(['filter=1', 'filter[]=1', 'filter[$where]=1'], 205, list)
    await expectEach(['{"$ne":""}', '["1.00"]'], 253, (amount) =>
      sendJson(`${JSON.stringify({ ...order, amount: undefined }).slice(0, -1)},"amount":${amount}}`),
    )
  })

  test('63 deep brackets are refused', async () => {
    await expectEach([17, 1_000, 50_000], 253, (depth) => addToForm(`items${'[a]'.repeat(depth)}=1`))
    await expectEach([17, 1_000], 253, (depth) => list(`filter${'[a]'.repeat(depth)}=1`))
  })

  test('64 deep JSON is refused, in a body and in a field', async () => {
    await expectEach([17, 50_000], 252, (depth) => addToJson(`"metadata":${'['.repeat(depth)}${']'.repeat(depth)}`))
    await expectEach([17, 30_000], 149, (depth) => addToForm(`metadata=${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`))
  })

  test('65 a sparse list costs what it holds, and mixed keys are refused', async () => {
    expect(await addToForm('items[999999999][artno]=x')).toBe(ACCEPTED)
    await expectEach(
      ['items[0][artno]=1&items[]=2', 'items[]=2&items[0][artno]=1', 'items[]=1&items=2'],
      253,
      addToForm,
    )
  })

  test('66 many parameters are refused quickly', async () => {
    const took = await milliseconds(async () => {
      await expectEach([1_001, 40_000], 253, (count) => addToForm('a=1&'.repeat(count)))
      await expectEach([1_001, 40_000], 253, (count) => addToForm('=&'.repeat(count)))
      await expectEach([1_001, 200_000], 253, (count) => addToForm('&'.repeat(count)))
    })
    expect(took).toBeLessThan(1_000)
  })

  test('67 a body above 256 KB is refused', async () => {
    const padded = (bytes: number) => `${encode(order)}&x=`.padEnd(bytes, 'x')
    expect(await sendForm(padded(256 * 1024))).toBe(ACCEPTED)
    await expectEach([256 * 1024 + 1, 5_000_000], 253, (bytes) => sendForm(padded(bytes)))
  })

  test('68 a compressed body is refused unread', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000)).toString('latin1')
    await expectEach(['gzip', 'br', 'deflate', 'x-unknown'], 253, async (coding) =>
      outcome(await shop.send('POST', API, bomb, { 'content-type': FORM, 'content-encoding': coding })),
    )
  })

  test('69 bytes that are no UTF-8 are refused in keys, values, paths, queries and JSON', async () => {
    const bytes = ['%FF', '%C0%AF', '%ED%A0%80', '%E2%82', '%F4%90%80%80', '%zz', '%F']
    await expectEach(bytes, 200, (sent) => addToForm(`metadata[a]=${sent}`))
    await expectEach(bytes, 200, (sent) => addToForm(`metadata[${sent}]=1`))
    await expectEach(bytes, 200, (sent) => list(`filter[payment_ref]=${sent}`))
    await expectEach(bytes, 200, async (sent) => (await shop.get(`${API}/${sent}`)).body.code)
  })

  test('70 NUL and control characters are refused where something is found by them', async () => {
    await expectEach(['metadata[a]=%00', 'metadata[%00]=1', 'metadata={"a":"\\u0000"}'], 253, addToForm)
    await expectEach(['\u0000', 'a\u0000'], 197, (text) => addToForm(encrypted('card_holder', text)))
    await expectEach(['a\r\nb', 'a\u0007', 'a\u202eb'], 206, (text) => list({ 'filter[payment_ref]': text }))
    await expectEach(['a\r\nb', 'a\u0007', 'a\u202eb'], 165, (text) => prepare({ customer_ref: text }))
    expect(await list('order_by=id%00')).toBe(253)
    await expectEach(['1%00', '%001'], 128, async (id) => (await shop.get(`${API}/${id}`)).body.code)
  })

  test('71 half a surrogate pair is refused in JSON of every kind', async () => {
    expect(await addToJson('"metadata":{"a":"\\ud800"}')).toBe(200)
    expect(await addToJson('"metadata":{"\\udfff":1}')).toBe(200)
    expect(await addToForm('metadata={"a":"\\udc00\\ud800"}')).toBe(200)
  })

  test('72 a charset other than UTF-8 is refused', async () => {
    await expectEach(['utf-7', 'utf-16', 'iso-8859-1', 'utf-8; charset=utf-16', '"'], 253, (charset) =>
      addToForm('', `${FORM}; charset=${charset}`),
    )
    await expectEach(['utf-8', '"UTF-8"', 'Utf8'], ACCEPTED, (charset) => {
      order = hashed(prepared(), MERCHANT)
      return addToForm('', `${FORM}; charset=${charset}`)
    })
  })

  test('73 a body under the wrong content type is read as documented, or refused', async () => {
    const form = () => encode(hashed(prepared(), MERCHANT))
    expect(await sendForm(form(), 'multipart/form-data')).toBe(ACCEPTED)
    expect(await sendForm(form(), 'text/plain')).toBe(ACCEPTED)
    expect(await sendForm(form(), `${JSON_TYPE};`)).toBe(252)
    await expectEach(['application/xml', 'a/b', 'application', '/', 'image/png'], 253, (type) => sendForm(form(), type))
  })

  test('74 a key twice in one JSON object is refused', async () => {
    expect(await addToJson('"amount":"1.00"')).toBe(252)
    expect(await addToForm('metadata={"a":1,"a":1}')).toBe(149)
    expect(await addToForm('metadata={"a":{"b":1,"\\u0062":2}}')).toBe(149)
  })
})

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
    '-0.00',
    ' 1.00 ',
  ]

  test('75 number forms: only digits, a dot and two digits are an amount', async () => {
    await expectEach(FORMS, 1090, (amount) => pay({ amount }))
    const { id } = (await shop.post(API, payment({ authorize: true }))).body
    await expectEach(FORMS, 109, async (amount) => outcome(await shop.put(`${API}/${id}/capture`, { amount })))
    const refund = { transaction_id: id, reason: 'x' }
    await expectEach(FORMS, 109, async (amount) => outcome(await shop.post('/v1/refunds', { ...refund, amount })))
    await expectEach(FORMS.slice(0, 4), 206, (amount) => list({ 'filter[amount]': amount }))
  })

  test('76 amount overflow: nothing is rounded', async () => {
    const huge = ['99999999999999999999.99', '90071992547409.92', '9223372036854775808.00', `${'9'.repeat(300)}.00`]
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
    expect(outcome(await shop.post('/v1/refunds', { transaction_id: body.id, amount: '0.02', reason: 'x' }))).toBe(134)
  })

  test('77 zero and less is refused when paying, capturing, refunding and pricing', async () => {
    await expectEach(['-10.00', '-0.01'], 108, (amount) => pay({ amount }))
    expect(await pay({ amount: '0.00' })).toBe(109)
    const { id } = (await shop.post(API, payment({ authorize: true }))).body
    const amounts = ['-10.00', '-0.01', '0.00']
    await expectEach(amounts, 109, async (amount) => outcome(await shop.put(`${API}/${id}/capture`, { amount })))
    const refund = { transaction_id: id, reason: 'x' }
    await expectEach(amounts, 109, async (amount) => outcome(await shop.post('/v1/refunds', { ...refund, amount })))
    await expectEach(['-1.00', '-0.01'], 195, async (amount) =>
      outcome(await shop.post('/v1/plans', { ...MONTHLY, prices: `{"sek":"${amount}"}` })),
    )
  })

  test('78 currency decimals and case follow the currency, not the language of the machine', async () => {
    await expectEach(['10.50', '0.01'], 109, (amount) => pay({ amount, currency: 'JPY' }))
    await expectEach(['1.234', '1.2340'], 1090, (amount) => pay({ amount, currency: 'kwd' }))
    await expectEach(['ILS', 'ils', 'Ils', 'INR', 'isk', 'LVL'], ACCEPTED, (currency) => pay({ currency }))
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

  test('79 id forms: an id is decimal digits, wherever it is sent', async () => {
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

  test('80 limit, offset and start_id are whole numbers; a huge limit counts as 1000', async () => {
    const bad = ['-1', '1e9', 'NaN', '1.5', '9223372036854775808', ' 1', '0x1', '１']
    for (const name of ['limit', 'offset', 'start_id']) await expectEach(bad, 206, (value) => list({ [name]: value }))
    expect(await list({ limit: 0 })).toBe(206)
    await expectEach([1, 1_000, 1_000_000_000, '9007199254740991'], ACCEPTED, (limit) => list({ limit }))
    await expectEach([0, 1_000_000_000, '9007199254740991'], ACCEPTED, (offset) => list({ offset }))
    await expectEach([0, '9007199254740991'], ACCEPTED, (start_id) => list({ start_id }))
  })
})

describe('filter and order', () => {
  test('81 SQL in filter and order_by is no SQL', async () => {
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
    const orders = ['id;select pg_sleep(9)', 'secret:desc', '1', '(select 1)', 'ID', '"id"', 'toString', 'valueOf:desc']
    await expectEach(orders, 205, (order_by) => list({ order_by }))
    await expectEach(['id:desc:asc', 'id:up', 'id:desc;drop', 'id:DESC', 'id:'], 206, (order_by) => list({ order_by }))
    const found = async (value: string) =>
      (await shop.get<unknown[]>(API, { 'filter[payment_ref]': value })).body.length
    await expectEach(["' OR 1=1--", '%', '_', 'a%', 'a_b_c\\d', '\\', 'a%b_c\\\\d'], 0, found)
    await expectEach(['a%b_c\\d', 'a%*', '*\\d', '*_c*', 'a*b*c*d'], 1, found)
  })

  test('82 a secret cannot be found letter by letter', async () => {
    const { href } = (await shop.post(API, prepared())).body
    const token = href.split('/').at(-1) ?? ''
    const found = async (value: string) => (await shop.get<unknown[]>(API, { 'filter[href_token]': value })).body.length
    expect([await found(token), await found(token.slice(0, -1)), await found(token.toLowerCase())]).toEqual([1, 0, 0])
    await expectEach([`${token.slice(0, 3)}*`, '*', `*${token}`], 206, (value) => list({ 'filter[href_token]': value }))
  })

  test('83 long inputs are judged in linear time', async () => {
    const long = [
      '4 '.repeat(50_000),
      'a'.repeat(100_000),
      '1..'.repeat(30_000),
      'a@'.repeat(50_000),
      `${'0'.repeat(99_999)}x`,
    ]
    const took = await milliseconds(async () => {
      for (const text of long) {
        const names = [
          'card_number',
          'card_holder',
          'card_expiry',
          'amount',
          'currency',
          'success_url',
          'metadata',
          'start_date',
        ]
        for (const name of names) await shop.post(API, payment({ process: true, [name]: text, plan_id: 1 }))
        const webhook = JSON.stringify({ trigger: 'payment', email: text })
        await shop.post(API, prepared({ webhook }))
        for (const field of ['id', 'amount', 'created_at', 'payment_ref', 'test'])
          await shop.get(API, { [`filter[${field}]`]: text.slice(0, 4_000) })
        await shop.get(API, { limit: 1 }, { 'user-agent': text.slice(0, 12_000) })
      }
    })
    expect(took).toBeLessThan(3_000)
  })

  test('84 a filter with many wildcards is refused', async () => {
    await expectEach(['*a'.repeat(6), '*a'.repeat(500), 'a*b*c*d*e*f*g'], 206, (value) =>
      list({ 'filter[payment_ref]': value }),
    )
    await expectEach(['*a'.repeat(5), '*'.repeat(1_000)], ACCEPTED, (value) => list({ 'filter[payment_ref]': value }))
    await expectEach(['a'.repeat(2_001), `*${'a'.repeat(2_000)}`], 206, (value) =>
      list({ 'filter[payment_ref]': value }),
    )
  })

  test('84 days that no calendar has, and ranges that are none, are refused', async () => {
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

describe('what other formats would choke on', () => {
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

  test('85 and 86 markup and formulas in metadata are kept and answered as sent', async () => {
    const metadata = Object.fromEntries(TRICKS.map((trick) => [trick, trick]))
    const { body } = await shop.post(API, prepared({ metadata: JSON.stringify(metadata) }))
    expect(body.metadata).toEqual(metadata)
    expect((await shop.get(`${API}/${body.id}`)).body.metadata).toEqual(metadata)
  })
})

test('after all of this a payment is made', async () => {
  expect((await shop.post(API, payment(CARD))).body.status).toBe('approved')
})

/** A parameter encrypted as a browser does. */
function encrypted(name: string, text: string): string {
  const key = { key: TEST_PUBLIC_KEY, padding: constants.RSA_PKCS1_PADDING }
  const value = publicEncrypt(key, Buffer.from(Buffer.from(text).toString('base64'))).toString('base64')
  return encode({ encrypted: name, [name]: value })
}
