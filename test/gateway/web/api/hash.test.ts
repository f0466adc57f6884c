import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Fields, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const MERCHANT_7 = { id: 7, password: 'custom00', secret: 's3cr3t' }
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const shop = await sharedGateway({ merchants: [MERCHANT_7] })

const send = (over: Fields) => shop.post('/v1/transactions', prepared(over))

describe('a hash by any recipe clients use is accepted', () => {
  let order = 0
  for (const [recipe, over, parts, note] of [
    ['canonical', {}, (ref: string) => `7${ref}10.00sektests3cr3t`, null],
    [
      'canonical with a customer',
      { customer_ref: 'c42' },
      (ref: string) => `7${ref}c4210.00sektests3cr3t`,
      null,
    ],
    [
      'canonical for a live payment',
      { test: false },
      (ref: string) => `7${ref}10.00seks3cr3t`,
      null,
    ],
    ['canonical without test', { test: undefined }, (ref: string) => `7${ref}10.00seks3cr3t`, null],
    [
      'lower case of a currency in upper case',
      { currency: 'SEK' },
      (ref: string) => `7${ref}10.00sektests3cr3t`,
      null,
    ],
    [
      'the currency as sent',
      { currency: 'SEK' },
      (ref: string) => `7${ref}10.00SEKtests3cr3t`,
      'currency_as_sent',
    ],
    ['variant A', {}, (ref: string) => `7${ref}10.00s3cr3t`, 'A'],
    ['variant B', {}, (ref: string) => `7${ref}10.00seks3cr3t`, 'B'],
    [
      'variant C with a customer',
      { customer_ref: 'c42' },
      (ref: string) => `7${ref}10.00c42sektests3cr3t`,
      'C',
    ],
    [
      'variant A with the customer, of 2014',
      { customer_ref: 'c42' },
      (ref: string) => `7${ref}c4210.00s3cr3t`,
      'A with customer_ref',
    ],
    [
      'variant B with the customer, of 2014',
      { customer_ref: 'c42', currency: 'SEK' },
      (ref: string) => `7${ref}c4210.00seks3cr3t`,
      'B with customer_ref',
    ],
  ] as const)
    test(recipe, async () => {
      const payment_ref = `A${++order}`
      const hash = md5(parts(payment_ref))
      const { status, headers, body } = await send({ payment_ref, hash, ...over })
      expect(status).toBe(200)
      expect(body.request_hash).toBe(hash)
      const explain = headers.get('mondido-explain')
      if (note === null) expect(explain).toBeNull()
      else expect(explain).toContain(`"${note}"`)
    })

  test('in the example of the documentation', async () => {
    const { body } = await send({ payment_ref: 'A100', hash: '35b827d259c5a80752cd047bb0d2cf61' })
    expect(body.status).toBe('pending')
  })

  test('in upper-case hexadecimal', async () => {
    const { status } = await send({
      payment_ref: 'upper',
      hash: md5('7upper10.00sektests3cr3t').toUpperCase(),
    })
    expect(status).toBe(200)
  })
})

describe('a hash is rejected with error 107 if it is', () => {
  for (const [what, over, hash] of [
    ['right for another amount', { amount: '1.00' }, md5('7R10.00sektests3cr3t')],
    ['right for another currency', { currency: 'vef' }, md5('7R10.00sektests3cr3t')],
    ['right for another order', {}, md5('7Q10.00sektests3cr3t')],
    ['right for test, sent live', { test: false }, md5('7R10.00sektests3cr3t')],
    ['made with another secret', {}, md5('7R10.00sektestguess')],
    ['one character short', {}, md5('7R10.00sektests3cr3t').slice(1)],
    ['no hash at all', {}, 'hello'],
  ] as const)
    test(what, async () => {
      const { status, body } = await send({ payment_ref: 'R', ...over, hash })
      expect({ status, code: body.code, name: body.name }).toEqual({
        status: 400,
        code: 107,
        name: 'errors.hash.invalid',
      })
    })
})

test('the hash of a live order that is sent with test=true is accepted as recipe B, and reported as such', async () => {
  const { headers } = await send({ payment_ref: 'flip', hash: md5('7flip10.00seks3cr3t') })
  expect(headers.get('mondido-explain')).toContain('"B"')
})

describe('a missing hash', () => {
  for (const hash of [undefined, ''])
    test(`is rejected with error 106 (${hash === undefined ? 'not sent' : 'empty'})`, async () => {
      expect((await send({ hash })).body.code).toBe(106)
    })

  for (const [spelling, name] of [
    ['a list', 'hash[]'],
    ['an object', 'hash[a]'],
  ] as const)
    test(`is not replaced by ${spelling}`, async () => {
      const fields = { ...prepared({ payment_ref: 'T' }), [name]: md5('7T10.00sektests3cr3t') }
      expect((await shop.post('/v1/transactions', { ...fields, hash: undefined })).body.code).toBe(
        253,
      )
    })
})

test('the explanation of a wrong hash names a common mistake', async () => {
  const { headers } = await send({
    test: false,
    payment_ref: '4711',
    hash: md5('7471110seks3cr3t'),
  })
  expect(headers.get('mondido-explain')).toMatch(
    /^The amount was hashed without decimals\. Hash it/,
  )
})

test('a wrong hash is explained with the text to hash, without the secret', async () => {
  const { headers } = await send({
    payment_ref: 'A7',
    customer_ref: 'c42',
    currency: 'SEK',
    hash: 'wrong',
  })
  const explain = headers.get('mondido-explain') ?? ''
  expect(explain).toContain('"7A7c4210.00sektest***"')
  expect(explain).not.toContain('s3cr3t')
})

test('the hash has no separators, so a shop must check amount and payment_ref together', async () => {
  const hash = md5('7123.00sektests3cr3t')
  expect((await send({ payment_ref: '12', amount: '3.00', hash })).body.amount).toBe('3.00')
  expect((await send({ payment_ref: '1', amount: '23.00', hash })).body.amount).toBe('23.00')
})

describe('response_hash', () => {
  test('covers merchant, order, customer, amount, currency and status', async () => {
    const paid = await shop.post(
      '/v1/transactions',
      payment({ payment_ref: 'P1', customer_ref: 'c42', currency: 'SEK' }),
    )
    expect(paid.body.response_hash).toBe(md5('7P1c4210.00sekapproveds3cr3t'))
  })

  test('follows the status', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ payment_ref: 'P2', authorize: true, amount: '8.00' }),
    )
    expect(body.response_hash).toBe(md5('7P28.00sekauthorizeds3cr3t'))
    const captured = await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '5.00' })
    expect(captured.body.response_hash).toBe(md5('7P25.00sekapproveds3cr3t'))
  })
})
