import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import qs from 'qs'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { appendQuery, writeBody, writeForm } from '../../../mock-gateway/webhooks/body.ts'
import { createSignatureHeaders } from '../../../mock-gateway/webhooks/signature.ts'
import { MERCHANT } from '../../helpers/gateway.ts'
import { openTestShop } from './shop.ts'

const AWKWARD = {
  'a b': 'c+d%&=',
  'é😀': '<b>"&\'</b> ]]> \u0008',
  list: [1.5, null, {}],
  empty: '',
  'xml-x': { y: true },
}

/** Returns the transaction without the last calls of its webhooks. */
const untold = (transaction: Transaction) => ({
  ...transaction,
  webhooks: transaction.webhooks.map((webhook) => ({
    ...webhook,
    response: null,
    request_body: null,
  })),
})

test('numbers in metadata have the same digits as in the request, in every format', () => {
  const kept = '{"id":1,"metadata":{"price":1.50,"big":12345678901234567890}}'
  expect(writeBody(kept, 'json').text).toBe(kept)
  expect(new URLSearchParams(writeForm(kept)).get('metadata')).toBe(
    '{"price":1.50,"big":12345678901234567890}',
  )
  expect(writeBody(kept, 'xml').text).toContain(
    '<price>1.50</price><big>12345678901234567890</big>',
  )
})

/** Makes a payment with unusual metadata, and returns the call of its webhook. */
async function told(hook: object) {
  const shop = await openTestShop()
  const paid = await shop.pay(hook, { metadata: JSON.stringify(AWKWARD), customer_ref: 'c-1' })
  const [call] = await shop.sink.calls(1)
  await shop.attempted(1)
  return { paid, call: call as NonNullable<typeof call>, shop }
}

test('webhook rule 11: json is the transaction as in a GET, with response_hash and amounts as text', async () => {
  const { paid, call, shop } = await told({ data_format: 'json' })
  expect(call.headers['content-type']).toBe('application/json; charset=utf-8')
  const body = JSON.parse(call.body)
  expect(body).toEqual(untold((await shop.get<Transaction>(`/v1/transactions/${paid.id}`)).body))
  expect(body).toMatchObject({
    amount: '10.00',
    org_auth_amount: 10,
    response_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(await shop.webhook(paid)).toMatchObject({
    request_body: call.body,
    response: { code: 200, body: 'ok', message: 'OK', error: null, headers: expect.any(Object) },
  })
})

test('webhook rule 12: form_data has a field for each attribute, nested values as JSON text, and null as empty text', async () => {
  const { paid, call } = await told({ data_format: 'form_data' })
  expect(call.headers['content-type']).toBe('application/x-www-form-urlencoded')
  for (const parsed of [
    Object.fromEntries(new URLSearchParams(call.body)),
    qs.parse(call.body) as Record<string, string>,
  ]) {
    expect(Object.keys(parsed)).toEqual(Object.keys(paid))
    expect(parsed).toMatchObject({
      id: String(paid.id),
      amount: '10.00',
      error: '',
      template_id: '',
      test: 'true',
    })
    expect(JSON.parse(parsed.metadata ?? '')).toEqual(AWKWARD)
    expect(JSON.parse(parsed.customer ?? '')).toEqual(paid.customer)
  }
})

test('webhook rule 13: xml is well-formed for an independent parser, whatever the names in metadata', async () => {
  const { paid, call } = await told({ data_format: 'xml' })
  expect(call.headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(call.body).not.toMatch(/<!DOCTYPE|<!\[CDATA/)
  const read = execFileSync('python3', ['-c', READ_XML], { input: call.body, encoding: 'utf8' })
  const { root, id, amount, metadata } = JSON.parse(read)
  expect([root, id, amount]).toEqual(['transaction', String(paid.id), '10.00'])
  expect(metadata).toEqual([
    ['entry', 'a b', 'c+d%&='],
    ['entry', 'é😀', '<b>"&\'</b> ]]> '],
    ['list', null, '1.5'],
    ['empty', null, null],
    ['entry', 'xml-x', null],
  ])
})

const READ_XML = `
import sys, json, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
of = lambda e: e.text if len(e) == 0 else next((c.text for c in e if c.tag == 'item'), None)
print(json.dumps({'root': root.tag, 'id': root.find('id').text, 'amount': root.find('amount').text,
  'metadata': [[e.tag, e.get('key'), of(e)] for e in root.find('metadata')]}))`

describe('webhook rule 10: get', () => {
  test('has no body, and its fields come after the existing query', async () => {
    const { paid, call, shop } = await told({ http_method: 'get' })
    expect([call.method, call.body]).toEqual(['GET', ''])
    const [path, query] = call.path.split('?')
    expect(path).toBe('/hook')
    expect(Object.keys(Object.fromEntries(new URLSearchParams(query)))).toEqual(Object.keys(paid))
    expect(await shop.webhook(paid)).toMatchObject({ http_method: 'get', request_body: query })
  })

  for (const [url, address] of [
    ['http://a.b/h', 'http://a.b/h?id=1'],
    ['http://a.b/h?x=1', 'http://a.b/h?x=1&id=1'],
    ['http://a.b/h?', 'http://a.b/h?id=1'],
    ['http://a.b/h?x&', 'http://a.b/h?x&id=1'],
    ['http://a.b/h?x=1#end', 'http://a.b/h?x=1&id=1#end'],
  ] as const)
    test(`${url} becomes ${address}`, () => expect(appendQuery(url, 'id=1')).toBe(address))
})

test('webhook rule 36: the query of a target stays unchanged, with repeated names and its own escapes', async () => {
  const shop = await openTestShop()
  const query = '?wp_hook=1&a=1&a=2&b=%2f%C3%A5&c=+x'
  await shop.pay({ url: shop.sink.url + query })
  const [call] = await shop.sink.calls(1)
  expect(call?.path).toBe(`/hook${query}`)
})

describe('webhook rule 25: the signature', () => {
  test('follows Standard Webhooks', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    }
    expect(createSignatureHeaders(signed, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'webhook-id': signed.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is made with every key of the merchant, over the sent bytes, at the time of the machine', async () => {
    const keys = [1, 2].map((n) => `whsec_${Buffer.alloc(32, n).toString('base64')}`)
    const shop = await openTestShop({
      merchants: [{ ...MERCHANT, settings: { webhook_keys: keys } }],
    })
    await shop.pay()
    const [call] = await shop.sink.calls(1)
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signatures,
    } = call?.headers ?? {}
    expect(Number(at) * 1000).toBe(shop.clock.now())
    const sign = (key: Buffer) =>
      `v1,${createHmac('sha256', key).update(`${id}.${at}.${call?.body}`).digest('base64')}`
    expect(String(signatures).split(' ')).toEqual([
      sign(Buffer.alloc(32, 1)),
      sign(Buffer.alloc(32, 2)),
    ])
  })
})
