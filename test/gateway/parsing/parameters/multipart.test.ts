import { describe, expect, test } from 'vitest'
import { readParameters } from '../../../../mock-gateway/parsing/parameters/read.ts'

const read = (body: string | Buffer, type = 'multipart/form-data; boundary=xyz') =>
  readParameters({
    query: '',
    contentType: type,
    contentEncoding: undefined,
    body: Buffer.from(body),
  })

const part = (headers: string, value: string) => `--xyz\r\n${headers}\r\n\r\n${value}\r\n`
const field = (name: string, value: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, value)
const END = '--xyz--\r\n'

test("a browser's form is read", async () => {
  const form = new FormData()
  form.append('amount', '10.00')
  form.append('card_holder', 'Åsa "å" Berg\r\n')
  form.append('metadata["k"]', 'v')
  form.append('filter[ref]', 'c1')
  const request = new Request('http://shop.example', { method: 'POST', body: form })
  const body = Buffer.from(await request.arrayBuffer())
  expect(read(body, request.headers.get('content-type') ?? '')).toEqual({
    amount: '10.00',
    card_holder: 'Åsa "å" Berg\r\n',
    metadata: { k: 'v' },
    filter: { ref: 'c1' },
  })
})

describe('multipart fields are read', () => {
  for (const [what, body, type] of [
    ['with a quoted boundary', `${field('a', '1')}${END}`, 'multipart/form-data; boundary="xyz"'],
    ['after a preamble', `hello\r\n${field('a', '1')}${END}`],
    ['before an epilogue', `${field('a', '1')}${END}bye`],
    [
      'with a type of their own',
      `${part('content-type: text/plain; charset=utf-8\r\ncontent-disposition: form-data; name=a', '1')}${END}`,
    ],
    [
      'with 8bit encoding',
      `${part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: 8bit', '1')}${END}`,
    ],
  ] as const)
    test(what, () => expect(read(body, type)).toEqual({ a: '1' }))

  test('whose names contain escaped quotes', () =>
    expect(read(`${field('metadata[\\"k\\"]', 'v')}${END}`)).toEqual({ metadata: { k: 'v' } }))
  test('without decoding their values', () =>
    expect(read(`${field('a', '%41+b')}${END}`)).toEqual({ a: '%41+b' }))
  test('whose values look like delimiters of another boundary', () =>
    expect(read(`${field('a', '--abc\r\n--abc--')}${END}`)).toEqual({ a: '--abc\r\n--abc--' }))
  test('also if there are none', () => expect(read(END)).toEqual({}))
})

describe('a multipart body is rejected with', () => {
  const disposition = 'Content-Disposition: form-data; name="a"'
  const many = Array.from({ length: 1001 }, (_, index) => field(`p${index}`, ''))
  test.each([
    ['a file', part(`${disposition}; filename="a.png"`, '\x89PNG')],
    ['a file with an encoded name', part(`${disposition}; filename*=UTF-8''a`, 'x')],
    ['another charset', part(`${disposition}\r\nContent-Type: text/plain; charset=utf-16`, '1')],
    ['a transfer encoding', part(`${disposition}\r\nContent-Transfer-Encoding: base64`, 'MQ==')],
    ['a part without a name', part('Content-Disposition: form-data', '1')],
    ['a part without headers', '--xyz\r\n\r\n1\r\n'],
    ['another format', 'a=1'],
    ['a field with two values', `${field('a', '1')}${field('a', '2')}`],
    ['a NUL character', field('a', '\0')],
    ['1,001 fields', many.join('')],
  ])('%s', (_what, body) =>
    expect(() => read(`${body}${END}`)).toThrow('errors.request.bad_format'),
  )

  test('an incomplete end', () =>
    expect(() => read(field('a', '1'))).toThrow('errors.request.bad_format'))
  test('malformed metadata', () =>
    expect(() => read(`${field('metadata[a', '1')}${END}`)).toThrow('errors.metadata.invalid'))

  for (const text of [field('a', '\xff'), field('\xff', 'a')])
    test(`a ${text.includes('name="a"') ? 'value' : 'name'} that is not UTF-8`, () =>
      expect(() => read(Buffer.from(`${text}${END}`, 'latin1'))).toThrow('errors.encoding.invalid'))
})
