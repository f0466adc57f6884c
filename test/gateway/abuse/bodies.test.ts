import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashed, prepared, startGateway, type TestGateway } from '../../helpers/gateway.ts'

let shop: TestGateway
beforeAll(async () => {
  shop = await startGateway()
})
afterAll(() => shop.close())

const order = () => hashed(prepared(), shop.merchant) as Record<string, string>
const form = () => String(new URLSearchParams(order()))
const json = () => JSON.stringify(order())
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Requests that would create a transaction but for one thing, and the code they are refused with. */
const REFUSED: readonly (readonly [what: string, type: string, body: () => string, code: number])[] = [
  ['a prototype as metadata', FORM, () => `${form()}&metadata[__proto__][x]=1`, 2091],
  ['a constructor in metadata', FORM, () => `${form()}&metadata[constructor][prototype][x]=1`, 2091],
  ['a prototype as parameter', FORM, () => `${form()}&__proto__[test]=1`, 2091],
  ['a prototype in JSON', JSON_TYPE, () => json().replace('{', '{"__proto__":{"x":1},'), 2091],
  [
    'a prototype deep in JSON',
    JSON_TYPE,
    () => json().replace('{', '{"metadata":{"a":[{"__proto__":{"x":1}}]},'),
    2091,
  ],
  ['an unbalanced quote in metadata', FORM, () => `${form()}&metadata["a]=1`, 2091],
  ['a bracket that metadata does not close', FORM, () => `${form()}&metadata[a=1`, 2091],
  ['more brackets than may nest, open', FORM, () => `${form()}&a${'['.repeat(33)}=1`, 253],
  ['one key in an element and a value', FORM, () => `${form()}&items[][artno]=1&items[][artno][x]=2`, 253],
  ['an index and an append in one list', FORM, () => `${form()}&items[0][artno]=1&items[]=2`, 253],
  ['one name as a value and as an object', FORM, () => `${form()}&amount[a]=1`, 253],
  ['true and false for test', FORM, () => `${form()}&test=false`, 253],
  [
    '17 levels of JSON',
    JSON_TYPE,
    () => json().replace('{', `{"metadata":${'{"a":'.repeat(17)}1${'}'.repeat(17)},`),
    252,
  ],
  ['50,000 levels of JSON', JSON_TYPE, () => json().replace('{', `{"metadata":${'['.repeat(50_000)}`), 252],
  ['JSON that is cut', JSON_TYPE, () => json().slice(0, -2), 252],
  ['JSON that is a list', JSON_TYPE, () => `[${json()}]`, 253],
  ['one key twice in JSON', JSON_TYPE, () => json().replace('{', '{"amount":"1.00",'), 252],
  ['one key twice in metadata', FORM, () => `${form()}&metadata={"a":1,"a":2}`, 149],
  ['a form labelled as JSON', JSON_TYPE, form, 252],
  ['XML', 'application/xml', () => '<amount>1</amount>', 253],
  ['UTF-7', `${FORM}; charset=utf-7`, form, 253],
  ['UTF-16', `${FORM}; charset=utf-16`, form, 253],
  ['two charsets', `${FORM}; charset=utf-8; charset=utf-16`, form, 253],
  ['a byte that is no UTF-8 in a value', FORM, () => `${form()}&metadata[a]=%FF`, 200],
  ['a byte that is no UTF-8 in a name', FORM, () => `${form()}&%FF=1`, 200],
  ['an overlong byte', FORM, () => `${form()}&metadata[a]=%C0%AF`, 200],
  ['a surrogate in UTF-8', FORM, () => `${form()}&metadata[a]=%ED%A0%80`, 200],
  ['a cut character', FORM, () => `${form()}&metadata[a]=%E2%82`, 200],
  ['percent and no digits', FORM, () => `${form()}&metadata[a]=%zz`, 200],
  ['half a surrogate pair in JSON', JSON_TYPE, () => json().replace('{', '{"metadata":{"a":"\\ud800"},'), 200],
  ['half a surrogate pair in metadata', FORM, () => `${form()}&metadata={"a":"\\ud800"}`, 200],
  ['a NUL in a form', FORM, () => `${form()}&metadata[a]=%00`, 253],
  ['a NUL in a name', FORM, () => `${form()}&metadata[%00]=1`, 253],
  ['a NUL in JSON', JSON_TYPE, () => json().replace('{', '{"metadata":{"a":"\\u0000"},'), 253],
  ['a file', 'multipart/form-data; boundary=x', () => multipart('card_number"; filename="a', '4'), 253],
  ['multipart that lacks its boundary', 'multipart/form-data', () => multipart('amount', '1.00'), 253],
]
const multipart = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`

describe('a request is refused for', () => {
  for (const [what, type, body, code] of REFUSED)
    test(`${what}: ${code}`, async () => {
      const answer = await shop.send('POST', '/v1/transactions', body(), { 'content-type': type })
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code })
      expect(answer.headers.get('mondido-explain')).toBeTruthy()
      expect(({} as Record<string, unknown>).x).toBeUndefined()
    })
})

describe('a request is taken', () => {
  for (const [what, type, body] of [
    ['as text/plain', 'text/plain', form],
    ['as JSON in text/plain', 'text/plain', json],
    ['with a charset in upper case', 'Application/X-WWW-Form-Urlencoded; Charset="UTF-8"', form],
    [
      'as multipart',
      'multipart/form-data; boundary=x',
      () =>
        `${Object.entries(order())
          .map(([name, value]) => multipart(name, value).replace('--x--\r\n', ''))
          .join('')}--x--\r\n`,
    ],
    ['with empty pieces', FORM, () => `&&${form()}&&`],
    ['with a list far out', FORM, () => `${form()}&items[999999999][artno]=x`],
    ['with parameters nobody knows', FORM, () => `${form()}&expMM=12&cheese=yes&card_numbr=4&filter[a]=b`],
    ['with brackets that do not fit together', FORM, () => `${form()}&a[=1&items[0=1&a]=1&a[]x=1&a[][]=1`],
    ['with names that are none', FORM, () => `${form()}&=1&[a]=1&[]=1`],
    ['with JSON after a byte order mark', JSON_TYPE, () => `\ufeff${json()}`],
  ] as const)
    test(what, async () => {
      const answer = await shop.send('POST', '/v1/transactions', body(), { 'content-type': type })
      expect(answer.body).toMatchObject({ status: 'pending' })
    })
})

describe('a query is refused for', () => {
  for (const [what, query, code] of [
    ['a byte that is no UTF-8', 'extend=%FF', 200],
    ['a prototype in filter', 'filter[__proto__]=1', 2091],
    ['a parameter twice', 'limit=1&limit=2', 253],
    ['one field twice in filter', 'filter[id]=1&filter[id]=2', 253],
  ] as const)
    test(`${what}: ${code}`, async () => {
      expect((await shop.get(`/v1/transactions?${query}`)).body.code).toBe(code)
    })
})

test('lists of objects are read as Rack writes them', async () => {
  const items = 'items[][artno]=A&items[][description]=a&items[][amount]=4.00&items[][qty]=1&items[][vat]=25'
  const more = 'items[][artno]=B&items[][description]=b&items[][amount]=6.00&items[][qty]=2&items[][vat]=0'
  const webhooks = ['one', 'two'].map(
    (name) => `webhook[][url]=https://shop.example/${name}&webhook[][trigger]=payment&webhook[][http_method]=post`,
  )
  const sent = [form(), items, more, ...webhooks].join('&')
  const { body } = await shop.send('POST', '/v1/transactions', sent)
  expect(body.items).toMatchObject([
    { artno: 'A', amount: '4.00' },
    { artno: 'B', amount: '6.00' },
  ])
  expect(body.webhooks).toMatchObject([{ url: 'https://shop.example/one' }, { url: 'https://shop.example/two' }])
})

test('long texts are read in linear time', async () => {
  const long = 'a1 -'.repeat(15_000)
  const started = performance.now()
  for (const name of [
    'card_number',
    'card_holder',
    'card_expiry',
    'card_type',
    'success_url',
    'metadata',
    'amount',
    'hash',
  ])
    await shop.post('/v1/transactions', { ...order(), process: true, [name]: long })
  for (const field of ['id', 'amount', 'created_at', 'payment_ref', 'test'])
    await shop.get('/v1/transactions', { [`filter[${field}]`]: long.slice(0, 10_000) })
  await shop.get('/v1/transactions', {}, { 'user-agent': long.slice(0, 8_000) })
  expect(performance.now() - started).toBeLessThan(5_000)
})
