import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HASH_VARIANTS,
  type HashedRequest,
  matchRequestHash,
  requestHash,
  responseHash,
} from '../../../../mock-gateway/domain/order/hash.ts'

const SECRET = 's3cr3t'
const request = (over: Partial<HashedRequest> = {}): HashedRequest => ({
  merchantId: '7',
  paymentRef: 'A100',
  customerRef: '',
  amount: '10.00',
  currency: 'sek',
  test: true,
  ...over,
})

describe('the request hash', () => {
  for (const [title, over, hash] of [
    ['in test mode', {}, '35b827d259c5a80752cd047bb0d2cf61'],
    ['in live mode', { test: false }, 'f89cdc5ff16be2bb3812026421db7de0'],
    ['with a customer', { customerRef: 'c42' }, '300e400d2f8776ee46f6177b496a0aa5'],
    ['with the currency in upper case', { currency: 'SEK' }, '35b827d259c5a80752cd047bb0d2cf61'],
  ] as const)
    test(`${title} is ${hash}`, () => expect(requestHash(request(over), SECRET)).toBe(hash))

  test('covers UTF-8 bytes', () => {
    expect(requestHash(request({ paymentRef: 'Å' }), SECRET)).toBe(
      '39099b659a23ff0b799884a93a37fc56',
    )
  })
})

describe('a request accepts the hash', () => {
  for (const [variant, over, hash] of [
    ['canonical', {}, '35b827d259c5a80752cd047bb0d2cf61'],
    ['canonical', {}, '35B827D259C5A80752CD047BB0D2CF61'],
    ['canonical', { test: false }, 'f89cdc5ff16be2bb3812026421db7de0'],
    ['canonical', { customerRef: 'c42', currency: 'SEK' }, '300e400d2f8776ee46f6177b496a0aa5'],
    ['A', {}, 'd7f5fe6d8d847a1af35ee398290b5e13'],
    ['B', { customerRef: 'c42' }, 'f89cdc5ff16be2bb3812026421db7de0'],
    ['C', { customerRef: 'c42' }, 'fd395cd558bd776eedf5011fb87028c6'],
    ['C', { customerRef: 'c42', currency: 'SEK' }, 'fd395cd558bd776eedf5011fb87028c6'],
  ] as const)
    test(`${hash} by the recipe ${variant}, for ${JSON.stringify(over)}`, () =>
      expect(matchRequestHash(request(over), hash, SECRET)).toEqual({ ok: true, variant }))

  for (const [variant, text] of [
    ['currency_as_sent', '7A100c4210.00SEKtests3cr3t'],
    ['B', '7A10010.00SEKs3cr3t'],
    ['C', '7A10010.00c42SEKtests3cr3t'],
  ] as const)
    test(`by the recipe ${variant} with the currency in the sent case: ${text}`, () => {
      const sent = createHash('md5').update(text).digest('hex')
      const matched = matchRequestHash(
        request({ customerRef: 'c42', currency: 'SEK' }),
        sent,
        SECRET,
      )
      expect(matched).toEqual({ ok: true, variant })
    })
})

describe('a sent hash is rejected', () => {
  const sent = requestHash(request({ customerRef: 'c42' }), SECRET)

  for (const [title, over] of [
    ['another amount', { amount: '10.01' }],
    ['another merchant', { merchantId: '8' }],
    ['another order', { paymentRef: 'A101' }],
    ['another customer', { customerRef: 'c43' }],
    ['another currency', { currency: 'eur' }],
    ['live mode', { test: false }],
  ] as const)
    test(`if it was calculated for ${title}`, () =>
      expect(matchRequestHash(request({ customerRef: 'c42', ...over }), sent, SECRET).ok).toBe(
        false,
      ))

  for (const wrong of ['', 'x', sent.slice(1), `${sent}0`, 'é'.repeat(16), '0'.repeat(32)])
    test(`if it is ${JSON.stringify(wrong)}`, () =>
      expect(matchRequestHash(request({ customerRef: 'c42' }), wrong, SECRET).ok).toBe(false))

  test('the explanation contains the text that should have been hashed, the secret masked', () => {
    const refused = matchRequestHash(
      request({ customerRef: 'c42', currency: 'SEK' }),
      'wrong',
      SECRET,
    )
    expect(refused).toEqual({ ok: false, expected: '7A100c4210.00sektest***' })
  })

  test('a variant that the merchant does not accept is rejected', () => {
    const accepted = HASH_VARIANTS.filter((variant) => !variant.startsWith('A'))
    expect(
      matchRequestHash(request(), 'd7f5fe6d8d847a1af35ee398290b5e13', SECRET, accepted).ok,
    ).toBe(false)
  })

  test('a hash with any other secret is rejected', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (ours, theirs) => {
        fc.pre(ours !== theirs)
        expect(matchRequestHash(request(), requestHash(request(), theirs), ours).ok).toBe(false)
      }),
    )
  })
})

describe('the hash has no separators:', () => {
  test('digits that move from the amount to the payment_ref do not change it', () => {
    const cheap = request({ paymentRef: '12', amount: '3.00' })
    const dear = request({ paymentRef: '1', amount: '23.00' })
    expect(requestHash(cheap, SECRET)).toBe(requestHash(dear, SECRET))
  })
})

describe('the response hash', () => {
  const response = {
    merchantId: '7',
    paymentRef: 'A100',
    customerRef: '',
    amount: '10.00',
    currency: 'sek',
  }

  for (const [status, over, hash] of [
    ['approved', {}, '24722e3d8ce8c5e066d620a13db2dc28'],
    ['authorized', { customerRef: 'c42' }, 'c13393fc1f3361357e2501df7e59108b'],
    ['Approved', { currency: 'SEK' }, '24722e3d8ce8c5e066d620a13db2dc28'],
  ] as const)
    test(`the response hash of ${status} with ${JSON.stringify(over)} is ${hash}`, () =>
      expect(responseHash({ ...response, ...over, status }, SECRET)).toBe(hash))
})
