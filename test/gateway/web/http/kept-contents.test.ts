import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutSecrets } from '../../../../mock-gateway/domain/without-secrets.ts'
import { keptParameters } from '../../../../mock-gateway/web/http/kept-texts.ts'
import {
  encode,
  type Fields,
  MERCHANT,
  payment,
  startGateway,
  type TestGateway,
} from '../../../helpers/gateway.ts'
import { controlOf } from '../control/client.ts'

const NUMBER = '4111111111111111'
const KEY = 'a-key-of-our-own'

const kept = (
  parameters: Parameters<typeof keptParameters>[0],
  encrypted: readonly string[] = [],
) => keptParameters(parameters, new Set(encrypted))

test.each([
  ['a card number', { card_number: NUMBER }, { card_number: '411111******1111' }],
  [
    'one that is mistyped',
    { card_number: '4111 1111 1111 1112' },
    { card_number: '411111******1112' },
  ],
  ['one that is too short to show', { card_number: '41111' }, { card_number: '***' }],
  ['several', { card_number: [NUMBER] }, { card_number: '***' }],
  [
    'a card number under another name',
    { payment_ref: `by ${NUMBER}` },
    { payment_ref: 'by 411111******1111' },
  ],
  ['a card number as a name', { [NUMBER]: '200', [`a${NUMBER}`]: '200' }, {}],
  ['codes', { card_cvv: '200', cvc: '123' }, { card_cvv: '***', cvc: '(not kept)' }],
  [
    'what anything may stand in',
    { metadata: '{"card_cvv":"200"}', x: ['1'] },
    { metadata: '(not kept)', x: '(not kept)' },
  ],
  [
    'an object under a name whose text is kept',
    { locale: { card_cvv: '200' } },
    { locale: '(not kept)' },
  ],
  ['passwords', { password: 'x', api_key: 'z' }, { password: '(not kept)', api_key: '(not kept)' }],
  ['an empty code, which says that it is missing', { card_cvv: '' }, { card_cvv: '' }],
  ['nothing else', { amount: '10.00', test: true }, { amount: '10.00', test: true }],
])('the stored contents of %s contain no secret or card data', (_what, sent, expected) => {
  expect(kept(sent)).toEqual(expected)
})

test('encrypted values are not shown in plain text', () => {
  expect(kept({ amount: '10.00', card_number: NUMBER }, ['amount', 'card_number'])).toEqual({
    amount: '(encrypted)',
    card_number: '(encrypted)',
  })
})

test('long contents are cut, after their card numbers are masked', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`n${'x'.repeat(at % 30)}`, 'x']),
  )
  expect(Object.keys(kept(many)).length).toBeLessThanOrEqual(100)
  const { payment_ref } = kept({ payment_ref: `${'x'.repeat(500)}${NUMBER}${'x'.repeat(9_000)}` })
  expect(payment_ref).toBe(`${'x'.repeat(500)}411111******…`)
})

test('a secret is removed from every field, also if JSON escapes it', () => {
  expect(withoutSecrets('{"a":"x-sëcret\\"y"}', ['sëcret"y', undefined, 'abc'])).toBe(
    '{"a":"x-***"}',
  )
})

let shop: TestGateway
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-'))
  shop = await startGateway({ control: KEY, database: join(folder, 'data.db') })
})
afterAll(() => rm(folder, { recursive: true }))

/** Sends a request whose target is the whole address, like from a proxy. */
async function sendWithWholeAddress(path: string): Promise<void> {
  const server = createServer(shop.gateway.app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [answer] = await once(
    request({ port, path, headers: { host: 'localhost' } }).end(),
    'response',
  )
  expect(answer.statusCode).toBe(401)
  answer.resume()
  server.close()
}

test('the data contain no card number, CVV, password or secret, whatever field it was sent in', async () => {
  const hostile: Fields = {
    card_cvv: '7391',
    cvc: '7392',
    note: NUMBER,
    secret: MERCHANT.secret,
    hash: `1x10.00sek${MERCHANT.secret}`,
    'metadata[where]': `my password is ${MERCHANT.password}`,
    'card[number]': NUMBER,
    [`a${NUMBER}`]: 'x',
  }
  await shop.post('/v1/transactions', payment(hostile))
  await shop.post(`/v1/${NUMBER}?x=${NUMBER}&password=hunter2-hunter2`, hostile)
  await shop.browser.post(
    '/v1/form',
    payment({ ...hostile, merchant_id: 1, 'metadata[where]': 'here' }),
  )
  await shop.send('POST', '/v1/transactions', `{"card_number": ${NUMBER}, "card_cvv": 7391`, {
    'content-type': 'application/json',
  })
  await shop.get('/v1/plans', {}, { authorization: `Basic ${btoa('1:hunter3-hunter3')}` })
  const { status } = await shop.send(
    'POST',
    '/_control/fixtures',
    encode({ x: 'hunter4-hunter4' }),
    {
      authorization: `Bearer ${KEY}`,
    },
  )
  expect(status).toBeGreaterThanOrEqual(400)
  await shop.get(`/v1/transactions/${NUMBER}`)
  const template = {
    name: 'stock',
    trigger: 'payment',
    url: `https://shop.example/hook?card=${NUMBER}`,
  }
  await controlOf(shop.gateway).post('/webhooks/templates', template)
  await sendWithWholeAddress('http://1:hunter5-hunter5@localhost/v1/plans')
  await shop.close()
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name), 'latin1')
    const never = [
      NUMBER,
      '7391',
      '7392',
      'hunter2',
      'hunter3',
      'hunter4',
      'hunter5',
      KEY,
      MERCHANT.password,
    ]
    for (const text of [...never, `10.00sek${MERCHANT.secret}`])
      expect(bytes.includes(text), `${text} in ${name}`).toBe(false)
  }
})
