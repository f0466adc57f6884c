import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { countCalls } from '../../../helpers/crypto-calls.ts'
import { hashed, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { hide } from '../../conformance/encrypt.ts'
import type { Extended } from '../../subscriptions/new-subscription.ts'

const COLONS = { id: 2, password: 'pa:ss:word:', secret: 'secret 2' }
const ACCENTS = { id: 3, password: 'pass-öl-密码', secret: 'secret 3' }

const shop = await sharedGateway({ merchants: [MERCHANT, COLONS, ACCENTS] })

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const list = (authorization: string) => shop.browser.get('/v1/transactions', {}, { authorization })

describe('without credentials', () => {
  for (const [method, path] of [
    ['GET', '/v1/transactions'],
    ['GET', '/v1/transactions/1'],
    ['PUT', '/v1/transactions/1'],
    ['PUT', '/v1/transactions/1/capture'],
    ['PUT', '/v1/transactions//capture'],
    ['POST', '/v1/transactions'],
    ['DELETE', '/v1/transactions/1'],
    ['GET', '/v1/stored_cards'],
    ['POST', '/v1/stored_cards'],
    ['DELETE', '/v1/stored_cards/1'],
    ['GET', '/v1/customers'],
    ['POST', '/v1/customers'],
    ['POST', '/v1/refunds'],
    ['GET', '/v1/webhooks'],
    ['GET', '/v1/webhooks/1'],
    ['OPTIONS', '/v1/refunds'],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/'],
    ['GET', '/V1/Transactions'],
    ['GET', '/v1/transactions/../transactions'],
    ['GET', '/v1/%74ransactions'],
    ['GET', '/v1/transactions;x=1'],
  ] as const)
    test(`${method} ${path} is rejected with status 401, error 138 and a challenge`, async () => {
      const { status, headers, body } = await shop.browser.send(
        method,
        path,
        method === 'GET' ? null : 'amount=1.00',
      )
      expect({ status, code: body.code, name: body.name }).toEqual({
        status: 401,
        code: 138,
        name: 'errors.unauthorized',
      })
      expect(headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    })
})

describe('with wrong credentials', () => {
  test('an unknown merchant and a wrong password get the same answer', async () => {
    const plain = ({ status, headers, body }: Awaited<ReturnType<typeof list>>) => {
      const known = new Headers(headers)
      for (const changing of ['x-request-id', 'x-runtime', 'date']) known.delete(changing)
      return { status, headers: [...known], body }
    }
    const wrong = plain(await list(basic('1:wrong')))
    for (const unknown of [
      '99:wrong',
      `99:${MERCHANT.password}`,
      'kim:wrong',
      ':',
      `01:${MERCHANT.password}`,
      `1 :${MERCHANT.password}`,
    ])
      expect(plain(await list(basic(unknown)))).toEqual(wrong)
  })

  test('an unknown merchant and a wrong password also take the same time: each costs one scrypt', async () => {
    const scrypts = countCalls('scrypt')
    await list(basic('3:another-wrong-one'))
    expect(scrypts()).toBe(1)
    await list(basic('90:wrong'))
    expect(scrypts()).toBe(2)
  })
})

describe('merchant_id', () => {
  const CALLS = [
    ['GET', '/v1/transactions'],
    ['POST', '/v1/transactions'],
    ['PUT', '/v2/transactions/1'],
    ['PUT', '/v1/transactions/1/capture'],
    ['DELETE', '/v1/stored_cards/1'],
    ['PUT', '/v1/subscriptions/1'],
  ] as const

  for (const [method, path] of CALLS)
    test(`the merchant_id of another merchant is rejected with error 202 at ${method} ${path}`, async () => {
      const { status, headers, body } = await shop.send(method, `${path}?merchant_id=2`)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 202 })
      expect(headers.get('mondido-explain')).toContain('merchant_id')
    })

  test('is checked also if it is encrypted', async () => {
    const sent = hide({ merchant_id: 2 }, 'merchant_id')
    expect((await shop.post('/v1/customers', sent)).body.code).toBe(202)
  })
})

describe('an invalid Authorization header is rejected with error 182', () => {
  for (const [what, header] of [
    ['another scheme', 'Bearer abc'],
    ['no scheme', btoa(`1:${MERCHANT.password}`)],
    ['Basic and nothing', 'Basic'],
    ['bad base64', 'Basic !!!!'],
    ['no colon', basic('1')],
    ['no user', basic(`:${MERCHANT.password}`)],
    ['bytes that are not UTF-8', `Basic ${Buffer.from([0x31, 0x3a, 0xff]).toString('base64')}`],
    ['a NUL', basic(`1:${MERCHANT.password}\0`)],
    ['a NUL in the user', basic(`1\0:${MERCHANT.password}`)],
    ['8 KB', basic(`1:${'x'.repeat(8_192)}`)],
    ['two in one', `${basic(`1:${MERCHANT.password}`)}, ${basic('2:x')}`],
  ] as const)
    test(what, async () => {
      const { status, body } = await list(header)
      expect({ status, code: body.code }).toEqual({ status: 401, code: 182 })
    })
})

test.each([COLONS, ACCENTS])('the password $password logs in', async ({ id, password }) => {
  expect((await list(basic(`${id}:${password}`))).status).toBe(200)
})

for (const scheme of ['basic', 'BASIC', 'Basic '])
  test(`the scheme can be written "${scheme}"`, async () => {
    expect((await list(`${scheme} ${btoa(`1:${MERCHANT.password}`)}`)).status).toBe(200)
  })

describe('a page in a browser, without password', () => {
  for (const [what, over, status, code] of [
    ['no merchant_id', { merchant_id: '' }, 401, 138],
    ['the merchant_id of an unknown merchant', { merchant_id: 99 }, 404, 104],
    ['a merchant_id that is not a number', { merchant_id: '1 or 1' }, 404, 104],
    ['two merchant_ids', { 'merchant_id[]': 1 }, 400, 253],
    ['no hash', { merchant_id: 1, hash: undefined }, 400, 106],
    ['the hash of another merchant', { merchant_id: 2 }, 400, 107],
  ] as const)
    test(`is rejected with ${what}: error ${code}`, async () => {
      const answer = await shop.browser.post('/v1/transactions', payment(over))
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
    })

  test('cannot name a customer outside its hash: error 107', async () => {
    const order = payment({ merchant_id: 1 })
    const recipes = { A: '10.00', B: '10.00sek' }
    for (const rest of Object.values(recipes)) {
      const fields = { ...order, payment_ref: `victim-of-${rest}`, customer_ref: 'victim' }
      const hash = md5(`1${fields.payment_ref}${rest}${MERCHANT.secret}`)
      const refused = await shop.browser.post('/v1/transactions', { ...fields, hash })
      expect(refused.body.code).toBe(107)
      const form = {
        ...fields,
        hash,
        success_url: 'https://shop.example/ok',
        error_url: 'https://shop.example/no',
      }
      expect((await shop.browser.post<string>('/v1/form', form)).headers.get('location')).toBeNull()
      expect((await shop.post('/v1/transactions', { ...fields, hash })).body.customer).toEqual({
        id: expect.any(Number),
      })
    }
  })

  test('gets its stored card on request, but no data of the customer', async () => {
    const { id } = (
      await shop.post('/v1/customers', { ref: 'known', 'metadata[email]': 'private@shop.example' })
    ).body
    const fields = payment({ merchant_id: 1, customer_ref: 'known', store_card: true })
    const query = '/v1/transactions?extend=customer,stored_card'
    const { body } = await shop.browser.post<Extended>(query, fields)
    expect(body.customer).toEqual({ id })
    expect(body.stored_card).toMatchObject({ token: expect.any(String), customer: { id } })
    const seen = await shop.post<Extended>(query, {
      ...fields,
      ...hashed(payment({ customer_ref: 'known' }), MERCHANT),
    })
    expect(seen.body.customer).toMatchObject({ ref: 'known' })
  })
})
