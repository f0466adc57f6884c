import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../mock-gateway/domain/errors/errors.ts'
import { LIMITS, readParameters } from '../../../../mock-gateway/parsing/parameters/read.ts'

const FORM = 'application/x-www-form-urlencoded'

interface Sent {
  query?: string
  type?: string
  encoding?: string
  body?: string | Buffer
}

const read = ({ query = '', type, encoding, body = '' }: Sent) =>
  readParameters({ query, contentType: type, contentEncoding: encoding, body: Buffer.from(body) })
const readForm = (body: string | Buffer) => read({ type: FORM, body })
const readJson = (body: string | Buffer) => read({ type: 'application/json', body })

describe('a form', () => {
  for (const [body, expected] of [
    ['', {}],
    ['amount=10.00&currency=sek', { amount: '10.00', currency: 'sek' }],
    ['&amount=10.00&&currency=sek&', { amount: '10.00', currency: 'sek' }],
    ['plan_id=&webhook=', { plan_id: '', webhook: '' }],
    ['amount&metadata', { amount: null, metadata: null }],
    ['card_holder=Anna+%C3%85%20Berg%2B', { card_holder: 'Anna Å Berg+' }],
    ['card_holder=Åsa', { card_holder: 'Åsa' }],
    ['url=https://shop.example/?a=b', { url: 'https://shop.example/?a=b' }],
    ['card%5Fholder=A', { card_holder: 'A' }],
    ['cheese=brie', { cheese: 'brie' }],
    ['\uFEFFamount=10.00', { amount: '10.00' }],
  ] as const)
    test(`${body} is read`, () => expect(readForm(body)).toEqual(expected))
})

describe('nesting in names', () => {
  for (const [body, expected] of [
    [
      'filter[ref]=c1&filter[created_at]=20260101..',
      { filter: { ref: 'c1', created_at: '20260101..' } },
    ],
    ['filter%5Bref%5D=c1', { filter: { ref: 'c1' } }],
    ['metadata[store_order][id]=5', { metadata: { store_order: { id: '5' } } }],
    ['metadata[products][1][name]=A', { metadata: { products: { 1: { name: 'A' } } } }],
    [
      'items[0][artno]=A&items[0][qty]=1&items[1][artno]=B',
      { items: { 0: { artno: 'A', qty: '1' }, 1: { artno: 'B' } } },
    ],
    ['items[999999999]=x', { items: { 999999999: 'x' } }],
    ['a[]=1&a[]=2&a[]', { a: ['1', '2', null] }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    [
      'items[][artno]=A&items[][amount]=1&items[][artno]=B&items[][amount]=2',
      {
        items: [
          { artno: 'A', amount: '1' },
          { artno: 'B', amount: '2' },
        ],
      },
    ],
    [
      'items[][artno]=A&items[][artno]=B&items[][amount]=2',
      { items: [{ artno: 'A' }, { artno: 'B', amount: '2' }] },
    ],
    ['webhook[][url]=u&webhook[][trigger]=t', { webhook: [{ url: 'u', trigger: 't' }] }],
    ['a[][b][c]=1&a[][b][d]=2&a[][b][c]=3', { a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }] }],
    ['a[][b][]=1&a[][b][]=2&a[][c]=3', { a: [{ b: ['1', '2'], c: '3' }] }],
    ['a[][b][][c]=1&a[][b][][c]=2', { a: [{ b: [{ c: '1' }, { c: '2' }] }] }],
    ['a[][b]&a[][b]=1', { a: [{ b: null }, { b: '1' }] }],
    ['a[]=1&a[][b]=2&a[]=3', { a: ['1', { b: '2' }, '3'] }],
    ['metadata[a][0]=1&metadata[a][1][b]=2', { metadata: { a: ['1', { b: '2' }] } }],
    ['metadata[a][1]=1&metadata[a][0]=2', { metadata: { a: ['2', '1'] } }],
    ['metadata[a][0][b][0]=1', { metadata: { a: [{ b: ['1'] }] } }],
    ['a[][b][0]=1', { a: [{ b: ['1'] }] }],
    ['metadata[a][0]=1&metadata[a][2]=2', { metadata: { a: { 0: '1', 2: '2' } } }],
    ['metadata[a][0]=1&metadata[a][01]=2', { metadata: { a: { 0: '1', '01': '2' } } }],
    ['metadata[0]=1', { metadata: { 0: '1' } }],
    ['metadata["k"]=v', { metadata: { k: 'v' } }],
    ["metadata['k']=v", { metadata: { k: 'v' } }],
    ['metadata["a"]["b"]=v', { metadata: { a: { b: 'v' } } }],
    ['metadata[%22a[b]%22]=v', { metadata: { 'a[b]': 'v' } }],
    ["metadata[it's]=v", { metadata: { "it's": 'v' } }],
    ['metadata[%C3%A5+b]=v', { metadata: { 'å b': 'v' } }],
  ] as const)
    test(`${body} is read`, () => expect(readForm(body)).toEqual(expected))

  for (const name of [
    '["k]',
    "['k]",
    '["k\']',
    '["a"b]',
    '[k',
    '[k]]',
    '[k]x',
    '[[k]]',
    ']',
    '[]]',
    '[][]',
    '[a][][][b]',
    '[""]',
    '["k"',
  ])
    test(`metadata${name} is malformed metadata, x${name} an unknown name`, () => {
      expect(() => readForm(`metadata${name}=v`)).toThrow('errors.metadata.invalid')
      expect(readForm(`amount=1.00&x${name}=v`)).toEqual({ amount: '1.00', [`x${name}`]: 'v' })
    })

  for (const name of ['', '[k]', '[]', '[', ']', '[__proto__]', '__proto__['])
    test(`"${name}" is an unknown name`, () => {
      const read = readForm(`amount=1.00&${name}=v`)
      expect(Object.entries(read)).toEqual([
        ['amount', '1.00'],
        [name, 'v'],
      ])
      expect(Object.getPrototypeOf(read)).toBeNull()
    })
})

describe('two values for one name are rejected', () => {
  for (const body of [
    'amount=1.00&amount=100.00',
    'amount&amount=1.00',
    'a[k]=1&a[k]=2',
    'a=1&a[]=2',
    'a[]=1&a=2',
    'a=1&a[k]=2',
    'a[k]=1&a=2',
    'a[]=1&a[k]=2',
    'a[0]=1&a[]=2',
    'a[0][b]=1&a[][b]=2',
    'a[][b]=1&a[][b][]=2',
    'a[][b]=1&a[][b][c]=2',
    'a[][b]=1&a[b]=2',
    'a=1&a[][b]=2',
    'a[=1&a[=2',
    '=1&=2',
    'a&a[k]=1',
    'am%6Funt=1.00&amount=2.00',
  ])
    test(body, () => expect(() => readForm(body)).toThrow('errors.request.bad_format'))

  for (const [query, body] of [
    ['amount=1.00', 'amount=2.00'],
    ['a[k]=1', 'a[k]=2'],
    ['a=1', 'a[k]=1'],
    ['a[k]=1', 'a[j]=1'],
  ] as const)
    test(`?${query} with ${body}`, () =>
      expect(() => read({ query, type: FORM, body })).toThrow('errors.request.bad_format'))

  for (const [query, type, body] of [
    ['amount=1.00', FORM, 'amount=1.00'],
    ['a[k]=1', FORM, 'a[k]=1'],
    ['amount=1.00', 'application/json', '{"amount":1.00}'],
    ['test=true', 'application/json', '{"test":true}'],
  ] as const)
    test(`but ?${query} with ${body} is accepted, because the values are equal`, () =>
      expect(() => read({ query, type, body })).not.toThrow())

  for (const [body, expected] of [
    ['amount=1.00&amount=1.00', { amount: '1.00' }],
    ['amount&amount', { amount: null }],
    ['a[k]=1&a[k]=1', { a: { k: '1' } }],
    ['a[]=1&a[]=1', { a: ['1', '1'] }],
  ] as const)
    test(`but ${body} is accepted, because each name has one value`, () =>
      expect(readForm(body)).toEqual(expected))

  test('the explanation names the parameter, and never its value', () => {
    const error = refusal(() =>
      readForm('card_number=4111111111111111&card_number=4012888888881881'),
    )
    expect(error.explain).toBe(
      'The parameter card_number is sent with two values, or both with and without brackets. Send it once.',
    )
  })
})

describe('a flag that is sent twice, for example with a hidden 0 before a check box,', () => {
  for (const [body, expected] of [
    ['store_card=0&store_card=true', { store_card: 'true' }],
    ['store_card=true&store_card=0', { store_card: '0' }],
    ['process=0&process=1&process=false', { process: 'false' }],
  ] as const)
    test(`has the value that was sent last: ${body}`, () =>
      expect(readForm(body)).toEqual(expected))

  for (const body of [
    'test=0&test[]=1',
    'test[a]=0&test=1',
    'a[test]=0&a[test]=1',
    'amount=0&amount=1',
  ])
    test(`is rejected in ${body}`, () =>
      expect(() => readForm(body)).toThrow('errors.request.bad_format'))
})

describe('the query and the body', () => {
  test('are read together', () =>
    expect(read({ query: 'locale=en', type: FORM, body: 'amount=1.00' })).toEqual({
      locale: 'en',
      amount: '1.00',
    }))
  test('are read without a body', () =>
    expect(read({ query: 'amount=10.00&metadata[a]=b', type: 'application/json' })).toEqual({
      amount: '10.00',
      metadata: { a: 'b' },
    }))
  test('read bytes beyond ASCII in the query as UTF-8', () =>
    expect(read({ query: `ref=${Buffer.from('Å').toString('latin1')}` })).toEqual({ ref: 'Å' }))
  test('are rejected with invalid percent-encoding in the query', () =>
    expect(() => read({ query: 'ref=Ł' })).toThrow('errors.encoding.invalid'))
})

describe('a JSON body', () => {
  test('keeps the text of numbers in parameters, and real values further down', () =>
    expect(
      readJson(
        '{"amount":10.00,"test":true,"plan_id":null,"metadata":{"n":10,"l":[1,false,null]}}',
      ),
    ).toEqual({
      amount: '10.00',
      test: true,
      plan_id: null,
      metadata: { n: 10, l: [1, false, null] },
    }))

  test('is parsed again if it was encoded twice', () => {
    const body = '{"amount":10.00,"metadata":{"n":1}}'
    expect(readJson(JSON.stringify(body))).toEqual(readJson(body))
    expect(() => readJson(JSON.stringify(JSON.stringify(body)))).toThrow(
      'errors.request.bad_format',
    )
  })

  for (const body of ['[]', '{}', '\uFEFF{}', ' { } '])
    test(`${JSON.stringify(body)} contains no parameters`, () => expect(readJson(body)).toEqual({}))

  for (const [body, error] of [
    ['{"amount":"1.00","amount":"100.00"}', 'errors.request.json_error'],
    ['{"metadata":{"a":1,"a":2}}', 'errors.request.json_error'],
    ['{"amount":', 'errors.request.json_error'],
    ['amount=10.00', 'errors.request.json_error'],
    ['['.repeat(50_000), 'errors.request.json_error'],
    ['"text"', 'errors.request.bad_format'],
    ['null', 'errors.request.bad_format'],
    ['[{"amount":"1.00"}]', 'errors.request.bad_format'],
    ['{"a":"\\u0000"}', 'errors.request.bad_format'],
    ['{"\\u0000":1}', 'errors.request.bad_format'],
    ['{"a":"\\ud800"}', 'errors.encoding.invalid'],
    ['{"\\udc00\\ud800":1}', 'errors.encoding.invalid'],
  ] as const)
    test(`${body.slice(0, 60)} is rejected with ${error}`, () =>
      expect(() => readJson(body)).toThrow(error))
})

describe('content types', () => {
  const form = 'amount=10.00'
  const json = '{"amount":"10.00"}'

  for (const [type, body] of [
    [FORM, form],
    ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', form],
    ['application/x-www-form-urlencoded;charset="utf-8"', form],
    ['application/json;charset=utf8', json],
    ['application/json;', json],
    ['multipart/form-data', form],
    ['text/plain;charset=UTF-8', form],
    ['text/plain', json],
    [undefined, form],
    [undefined, ` ${json}`],
    ['', form],
  ] as const)
    test(`${type} with ${body} is read`, () =>
      expect(read({ ...(type === undefined ? {} : { type }), body })).toEqual({ amount: '10.00' }))

  for (const type of [
    'application/xml',
    'application/octet-stream',
    'nonsense',
    'constructor',
    `${FORM}; charset=iso-8859-1`,
    `${FORM}; charset=utf-16`,
    'application/json; charset=utf-7',
    'text/plain; charset=utf-16; charset=utf-8',
    'text/plain; charset=utf-8; charset=utf-16',
  ])
    test(`${type} is rejected`, () =>
      expect(() => read({ type, body: form })).toThrow('errors.request.bad_format'))

  test('an empty body can have any type', () =>
    expect(read({ type: 'application/xml' })).toEqual({}))

  test('multipart without a boundary is rejected instead of misread', () =>
    expect(() =>
      read({ type: 'multipart/form-data', body: '--x\r\nContent-Disposition: form-data' }),
    ).toThrow('errors.request.bad_format'))

  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip'])
    test(`Content-Encoding ${encoding} is rejected`, () =>
      expect(() => read({ type: FORM, encoding, body: form })).toThrow('errors.request.bad_format'))

  for (const encoding of ['identity', 'Identity', ''])
    test(`Content-Encoding "${encoding}" is accepted`, () =>
      expect(read({ type: FORM, encoding, body: form })).toEqual({ amount: '10.00' }))
})

describe('text that is not UTF-8 is rejected', () => {
  for (const text of ['%zz', '%F', '%', '%FF', '%C0%AF', '%ED%A0%80', '%E2%82', '%F4%90%80%80'])
    test(`${text} in a value, a name and a query`, () => {
      expect(() => readForm(`a=${text}`)).toThrow('errors.encoding.invalid')
      expect(() => readForm(`${text}=a`)).toThrow('errors.encoding.invalid')
      expect(() => read({ query: `a=${text}` })).toThrow('errors.encoding.invalid')
    })

  for (const bytes of ['ff', 'c0af', 'eda080', 'e282'])
    test(`the bytes ${bytes} in a form, JSON and query`, () => {
      const raw = Buffer.from(bytes, 'hex')
      expect(() => readForm(Buffer.concat([Buffer.from('a='), raw]))).toThrow(
        'errors.encoding.invalid',
      )
      expect(() =>
        readJson(Buffer.concat([Buffer.from('{"a":"'), raw, Buffer.from('"}')])),
      ).toThrow('errors.encoding.invalid')
      expect(() => read({ query: `a=${raw.toString('latin1')}` })).toThrow(
        'errors.encoding.invalid',
      )
    })
})

describe('NUL characters are rejected', () => {
  for (const [where, sent] of [
    ['percent-encoded in a value', { type: FORM, body: 'a=1%00' }],
    ['percent-encoded in a name', { type: FORM, body: 'a%00=1' }],
    ['percent-encoded in a key', { type: FORM, body: 'metadata[%00]=1' }],
    ['as a byte', { type: FORM, body: 'a=\0' }],
    ['in a query', { query: 'a=%00' }],
    ['as a byte in JSON', { type: 'application/json', body: '{"a":"\0"}' }],
  ] as const)
    test(where, () => expect(() => read(sent)).toThrow('errors.request.bad_format'))
})

describe('keys that reach prototypes in other programs are ordinary names', () => {
  for (const key of ['__proto__', 'constructor', 'prototype'])
    for (const name of [
      key,
      `${key}[test]`,
      `filter[${key}]`,
      `metadata[${key}][x]`,
      `metadata["${key}"]`,
      `a[b][${key}][]`,
      `a[][${key}]`,
      `${key}[][a]`,
    ])
      test(name, () => {
        const ordinary = JSON.stringify(readForm(`${name.replace(key, 'ordinary')}=1`))
        for (const parameters of [
          readForm(`${name}=1`),
          read({ query: `${encodeURIComponent(name)}=1` }),
        ])
          expect(JSON.stringify(parameters)).toBe(ordinary.replace('ordinary', key))
      })
  test('in JSON', () => {
    const body = '{"__proto__":{"constructor":"x"},"metadata":{"prototype":[{"__proto__":"y"}]}}'
    expect(JSON.stringify(readJson(body))).toBe(body)
  })
})

describe('the limits of a request', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)
  const nested = (levels: number) => `a${'[b]'.repeat(levels)}=1`

  test('are 256 KB, 16 levels and 1,000 parameters', () =>
    expect(LIMITS).toEqual({ bodyBytes: 262_144, depth: 16, parameters: 1000 }))

  for (const [what, act] of [
    ['a body of 256 KB', () => readForm(`a=${'x'.repeat(262_142)}`)],
    ['16 levels of brackets', () => readForm(nested(16))],
    ['16 levels, the last a list', () => readForm(`a${'[b]'.repeat(15)}[]=1`)],
    ['16 levels in a JSON body', () => readJson(`{"a":${'['.repeat(16)}${']'.repeat(16)}}`)],
    ['1,000 fields', () => readForm(many(1000).join('&'))],
  ] as const)
    test(`${what}: accepted`, () => expect(act).not.toThrow())

  for (const [what, act] of [
    ['a byte more', () => readForm(`a=${'x'.repeat(262_143)}`)],
    ['17 levels of brackets', () => readForm(nested(17))],
    ['17 levels, the last a list', () => readForm(`a${'[b]'.repeat(16)}[]=1`)],
    ['80,000 levels of brackets', () => readForm(nested(80_000))],
    ['200,000 open brackets', () => readForm(`a${'['.repeat(200_000)}`)],
    ['1,001 fields', () => readForm(many(1001).join('&'))],
    ['1,001 fields in the query', () => read({ query: many(1001).join('&') })],
    [
      '1,001 members of a JSON body',
      () => readJson(`{${many(1001).map((name) => `"${name}":1`)}}`),
    ],
    ['nothing but 200,000 separators', () => readForm('&'.repeat(200_000))],
  ] as const)
    test(`${what}: rejected`, () => expect(act).toThrow('errors.request.bad_format'))

  test('17 levels in a JSON body: rejected', () =>
    expect(() => readJson(`{"a":${'['.repeat(17)}${']'.repeat(17)}}`)).toThrow(
      'errors.request.json_error',
    ))

  test('can be lowered by the caller', () => {
    const raw = {
      query: 'a=1&b=2',
      contentType: undefined,
      contentEncoding: undefined,
      body: Buffer.alloc(0),
    }
    expect(() => readParameters(raw, { parameters: 1 })).toThrow('errors.request.bad_format')
  })
})

function refusal(act: () => unknown): GatewayError {
  try {
    act()
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new Error('Nothing was refused')
}
