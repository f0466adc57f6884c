import { constants, publicEncrypt } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  encode,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  startGateway,
} from '../../helpers/gateway.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES } from '../storage/databases.ts'
import { ACCEPTED, API, expectEach, outcome } from './outcomes.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const shop = await sharedGateway()

let order: Fields
beforeEach(() => {
  order = hashed(prepared(), MERCHANT)
})

const sendForm = async (body: string, type = FORM) =>
  outcome(await shop.send('POST', API, body, { 'content-type': type }))
const sendJson = (body: string) => sendForm(body, JSON_TYPE)
/** Sends a valid form with an added text. */
const addToForm = (text: string, type?: string) => sendForm(`${encode(order)}&${text}`, type)
/** Sends a valid JSON object with added members. */
const addToJson = (members: string) => sendJson(JSON.stringify(order).replace('{', `{${members},`))
const prepare = async (over: Fields) => outcome(await shop.post(API, prepared(over)))
const list = async (query: string) => outcome(await shop.get(`${API}?${query}`))

describe('bodies with another content type', () => {
  test('type confusion: a list or an object instead of a text, or two values, is rejected', async () => {
    await expectEach(
      ['currency=eur', 'amount[]=1', 'amount[a]=1', 'amount[$gt]=', 'amount=99.00'],
      253,
      addToForm,
    )
    await expectEach(
      ['order_by[]=id', 'limit[$gt]=1', 'order_by=id&order_by=amount', 'start_id[]=1'],
      253,
      list,
    )
    await expectEach(['filter[status][$ne]=x', 'filter[id][]=1', 'filter[amount][gt]=1'], 206, list)
    await expectEach(['filter=1', 'filter[]=1', 'filter[$where]=1'], 205, list)
    await expectEach(['{"$ne":""}', '["1.00"]'], 253, (amount) =>
      sendJson(
        `${JSON.stringify({ ...order, amount: undefined }).slice(0, -1)},"amount":${amount}}`,
      ),
    )
  })

  test('type confusion: an extend of any shape never fails, and never rejects a payment that was made', async () => {
    const shapes = [
      '[]=customer',
      '[a]=customer',
      '[0][a]=1',
      '[a][b]=c',
      '=%5B%7B%7D%5D',
      '=%7B%22a%22%3A',
      '=customer',
    ]
    await expectEach(shapes, ACCEPTED, async (shape) =>
      outcome(
        await shop.send(
          'POST',
          `${API}?extend${encodeURI(shape)}`,
          encode(hashed(payment(), MERCHANT)),
        ),
      ),
    )
    expect(await addToJson('"extend":[{"a":1},null,[]]')).toBe(ACCEPTED)
  })

  test('more brackets than may nest are rejected', async () => {
    await expectEach([17, 1_000, 50_000], 253, (depth) =>
      addToForm(`items${'[a]'.repeat(depth)}=1`),
    )
    await expectEach([17, 1_000], 253, (depth) => list(`filter${'[a]'.repeat(depth)}=1`))
  })

  test('JSON in a field with too many levels is rejected', async () => {
    await expectEach([17, 30_000], 149, (depth) =>
      addToForm(`metadata=${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    )
  })

  test('a sparse list costs only its items, and mixed keys are rejected', async () => {
    expect(await addToForm('items[999999999][artno]=x')).toBe(ACCEPTED)
    await expectEach(
      ['items[0][artno]=1&items[]=2', 'items[]=2&items[0][artno]=1', 'items[]=1&items=2'],
      253,
      addToForm,
    )
  })

  test('many parameters are rejected', async () => {
    await expectEach([1_001, 40_000], 253, (count) => addToForm('a=1&'.repeat(count)))
    await expectEach([1_001, 40_000], 253, (count) => addToForm('=&'.repeat(count)))
    await expectEach([1_001, 200_000], 253, (count) => addToForm('&'.repeat(count)))
  })

  test('a body above 256 KB is rejected', async () => {
    const padded = (bytes: number) => `${encode(order)}&x=`.padEnd(bytes, 'x')
    expect(await sendForm(padded(256 * 1024))).toBe(ACCEPTED)
    await expectEach([256 * 1024 + 1, 5_000_000], 253, (bytes) => sendForm(padded(bytes)))
  })

  test('a compressed body is rejected without being read', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000)).toString('latin1')
    await expectEach(['gzip', 'br', 'deflate', 'x-unknown'], 253, async (coding) =>
      outcome(
        await shop.send('POST', API, bomb, { 'content-type': FORM, 'content-encoding': coding }),
      ),
    )
  })

  test('bytes that are not UTF-8 are rejected in keys, values, paths, queries and JSON', async () => {
    const bytes = ['%FF', '%C0%AF', '%ED%A0%80', '%E2%82', '%F4%90%80%80', '%zz', '%F']
    await expectEach(bytes, 200, (sent) => addToForm(`metadata[a]=${sent}`))
    await expectEach(bytes, 200, (sent) => addToForm(`metadata[${sent}]=1`))
    await expectEach(bytes, 200, (sent) => list(`filter[payment_ref]=${sent}`))
    await expectEach(bytes, 200, async (sent) => (await shop.get(`${API}/${sent}`)).body.code)
  })

  test('NUL and control characters are rejected in ids, references and filters', async () => {
    await expectEach(
      ['metadata[a]=%00', 'metadata[%00]=1', 'metadata={"a":"\\u0000"}'],
      253,
      addToForm,
    )
    await expectEach(['\u0000', 'a\u0000'], 197, (text) =>
      addToForm(encrypted('card_holder', text)),
    )
    await expectEach(['a\r\nb', 'a\u0007', 'a\u202eb'], 206, (text) =>
      list(encode({ 'filter[payment_ref]': text })),
    )
    await expectEach(['a\r\nb', 'a\u0007', 'a\u202eb'], 165, (text) =>
      prepare({ customer_ref: text }),
    )
    expect(await list('order_by=id%00')).toBe(253)
    await expectEach(
      ['1%00', '%001'],
      128,
      async (id) => (await shop.get(`${API}/${id}`)).body.code,
    )
  })

  test('half a surrogate pair is rejected in every kind of JSON', async () => {
    expect(await addToJson('"metadata":{"a":"\\ud800"}')).toBe(200)
    expect(await addToJson('"metadata":{"\\udfff":1}')).toBe(200)
    expect(await addToForm('metadata={"a":"\\udc00\\ud800"}')).toBe(200)
  })

  test('a charset other than UTF-8 is rejected', async () => {
    await expectEach(
      ['utf-7', 'utf-16', 'iso-8859-1', 'utf-8; charset=utf-16', '"'],
      253,
      (charset) => addToForm('', `${FORM}; charset=${charset}`),
    )
    await expectEach(['utf-8', '"UTF-8"', 'Utf8'], ACCEPTED, (charset) => {
      order = hashed(prepared(), MERCHANT)
      return addToForm('', `${FORM}; charset=${charset}`)
    })
  })

  test('a body under the wrong content type is read as documented, or rejected', async () => {
    const form = () => encode(hashed(prepared(), MERCHANT))
    expect(await sendForm(form(), 'multipart/form-data')).toBe(ACCEPTED)
    expect(await sendForm(form(), 'text/plain')).toBe(ACCEPTED)
    expect(await sendForm(form(), `${JSON_TYPE};`)).toBe(252)
    await expectEach(['application/xml', 'a/b', 'application', '/', 'image/png'], 253, (type) =>
      sendForm(form(), type),
    )
  })

  test('one JSON object with the same key twice is rejected', async () => {
    expect(await addToJson('"amount":"1.00"')).toBe(252)
    expect(await addToForm('metadata={"a":1,"a":1}')).toBe(149)
    expect(await addToForm('metadata={"a":{"b":1,"\\u0062":2}}')).toBe(149)
  })
})

/** Requests with one mistake that would otherwise create a transaction, with their error codes. */
const REFUSED: readonly (readonly [
  what: string,
  type: string,
  body: () => string,
  code: number,
])[] = [
  ['an unbalanced quote in metadata', FORM, () => `${encode(order)}&metadata["a]=1`, 2091],
  ['a bracket that metadata does not close', FORM, () => `${encode(order)}&metadata[a=1`, 2091],
  ['more brackets than may nest, open', FORM, () => `${encode(order)}&a${'['.repeat(33)}=1`, 253],
  [
    'one key in an element and a value',
    FORM,
    () => `${encode(order)}&items[][artno]=1&items[][artno][x]=2`,
    253,
  ],
  [
    '17 levels of JSON',
    JSON_TYPE,
    () =>
      JSON.stringify(order).replace('{', `{"metadata":${'{"a":'.repeat(17)}1${'}'.repeat(17)},`),
    252,
  ],
  [
    '50,000 levels of JSON',
    JSON_TYPE,
    () => JSON.stringify(order).replace('{', `{"metadata":${'['.repeat(50_000)}`),
    252,
  ],
  ['JSON that is cut', JSON_TYPE, () => JSON.stringify(order).slice(0, -2), 252],
  ['JSON that is a list', JSON_TYPE, () => `[${JSON.stringify(order)}]`, 253],
  [
    'a NUL in JSON',
    JSON_TYPE,
    () => JSON.stringify(order).replace('{', '{"metadata":{"a":"\\u0000"},'),
    253,
  ],
  [
    'a file',
    'multipart/form-data; boundary=x',
    () => multipart('card_number"; filename="a', '4'),
    253,
  ],
  [
    'multipart that lacks its boundary',
    'multipart/form-data',
    () => multipart('amount', '1.00'),
    253,
  ],
]
const multipart = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`

describe('a request is rejected because of', () => {
  for (const [what, type, body, code] of REFUSED)
    test(`${what}: error ${code}`, async () => {
      const answer = await shop.send('POST', API, body(), { 'content-type': type })
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code })
      expect(answer.headers.get('mondido-explain')).toBeTruthy()
      expect(({} as Record<string, unknown>).x).toBeUndefined()
    })
})

describe('a request is accepted', () => {
  for (const [what, type, body] of [
    ['as JSON in text/plain', 'text/plain', () => JSON.stringify(order)],
    [
      'with a charset in upper case',
      'Application/X-WWW-Form-Urlencoded; Charset="UTF-8"',
      () => encode(order),
    ],
    [
      'as multipart',
      'multipart/form-data; boundary=x',
      () =>
        `${Object.entries(order)
          .map(([name, value]) => multipart(name, String(value)).replace('--x--\r\n', ''))
          .join('')}--x--\r\n`,
    ],
    ['with empty pieces', FORM, () => `&&${encode(order)}&&`],
    [
      'with unknown parameters',
      FORM,
      () => `${encode(order)}&expMM=12&cheese=yes&card_numbr=4&filter[a]=b`,
    ],
    [
      'with brackets that do not fit together',
      FORM,
      () => `${encode(order)}&a[=1&items[0=1&a]=1&a[]x=1&a[][]=1`,
    ],
    ['with invalid names', FORM, () => `${encode(order)}&=1&[a]=1&[]=1`],
    ['with JSON after a byte order mark', JSON_TYPE, () => `\ufeff${JSON.stringify(order)}`],
  ] as const)
    test(what, async () => {
      const answer = await shop.send('POST', API, body(), { 'content-type': type })
      expect(answer.body).toMatchObject({ status: 'pending' })
    })
})

test.each(['__proto__', 'constructor', 'prototype'])(
  '%s is an ordinary name, wherever it is sent',
  async (key) => {
    const text = `{"${key}":{"x":[{"${key}":1}]}}`
    const sent = [
      [`${encode(order)}&${key}[test]=1&metadata=${encodeURIComponent(text)}`, FORM],
      [
        JSON.stringify(hashed(prepared(), MERCHANT)).replace(
          '{',
          `{"${key}":{"x":1},"metadata":${text},`,
        ),
        JSON_TYPE,
      ],
      [`${encode(hashed(prepared(), MERCHANT))}&metadata[${key}][x][][${key}]=1`, FORM],
    ] as const
    for (const [body, type] of sent) {
      const { id } = (await shop.send('POST', API, body, { 'content-type': type })).body
      await shop.put(`${API}/${id}`, { process: false, [`metadata[${key}][y]`]: '2' })
      const { metadata } = (await shop.get(`${API}/${id}`)).body
      const written = JSON.stringify(metadata).replaceAll('"1"', '1')
      expect(written).toBe(`{"${key}":{"x":[{"${key}":1}],"y":"2"}}`)
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  },
)

describe('a query is rejected because of', () => {
  for (const [what, query, code] of [
    ['a prototype in filter', 'filter[__proto__]=1', 205],
    ['one field twice in filter', 'filter[id]=1&filter[id]=2', 253],
  ] as const)
    test(`${what}: error ${code}`, async () => {
      expect((await shop.get(`/v1/transactions?${query}`)).body.code).toBe(code)
    })
})

test('lists of objects are read as Rack writes them', async () => {
  const items =
    'items[][artno]=A&items[][description]=a&items[][amount]=4.00&items[][qty]=1&items[][vat]=25'
  const more =
    'items[][artno]=B&items[][description]=b&items[][amount]=6.00&items[][qty]=2&items[][vat]=0'
  const webhooks = ['one', 'two'].map(
    (name) =>
      `webhook[][url]=https://shop.example/${name}&webhook[][trigger]=payment&webhook[][http_method]=post`,
  )
  const sent = [encode(order), items, more, ...webhooks].join('&')
  const { body } = await shop.send('POST', API, sent)
  expect(body.items).toMatchObject([
    { artno: 'A', amount: '4.00' },
    { artno: 'B', amount: '6.00' },
  ])
  expect(body.webhooks).toMatchObject([
    { url: 'https://shop.example/one' },
    { url: 'https://shop.example/two' },
  ])
})

test.each(DATABASES)('a NUL character in any address finds nothing on %s', async (_name, open) => {
  const place = await open()
  const elsewhere = await startGateway({ database: place.target })
  const rooms = 'transactions stored_cards customers plans subscriptions webhooks refunds'.split(
    ' ',
  )
  for (const room of rooms) expect((await elsewhere.get(`/v1/${room}/%00`)).status).toBe(404)
  expect((await elsewhere.browser.get('/v1/form/%00')).status).toBe(404)
  const attempt = await elsewhere.browser.get('/v1/attempts/%00', { merchant_id: MERCHANT.id })
  expect(attempt.body).toEqual({ state: 'unknown' })
  await elsewhere.close()
  await place.remove()
})

test('a payment is made after all these requests', async () => {
  expect((await shop.post(API, payment())).body.status).toBe('approved')
})

/** Returns a form field that is encrypted like in a browser. */
function encrypted(name: string, text: string): string {
  const key = { key: TEST_PUBLIC_KEY, padding: constants.RSA_PKCS1_PADDING }
  const value = publicEncrypt(key, Buffer.from(Buffer.from(text).toString('base64'))).toString(
    'base64',
  )
  return encode({ encrypted: name, [name]: value })
}
