import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HASH_VARIANTS,
  type HashedRequest,
  hashResponse,
  listHashExamples,
  matchRequestHash,
  requestHash,
} from '../../../../mock-gateway/domain/order/hash.ts'
import { diagnoseHash } from '../../../../mock-gateway/domain/order/hash-diagnosis.ts'

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

  test('in the example of each recipe', () => {
    const order = request({ customerRef: 'c42', currency: 'SEK' })
    for (const { variant, hash } of listHashExamples(order, SECRET))
      expect(matchRequestHash(order, hash, SECRET, [variant])).toEqual({ ok: true, variant })
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

test('the hash has no separators: digits that move from the amount to the payment_ref do not change it', () => {
  const cheap = request({ paymentRef: '12', amount: '3.00' })
  const dear = request({ paymentRef: '1', amount: '23.00' })
  expect(requestHash(cheap, SECRET)).toBe(requestHash(dear, SECRET))
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
      expect(hashResponse({ ...response, ...over, status }, SECRET)).toBe(hash))
})

describe('the diagnosis of a wrong hash', () => {
  const SECRET = 'sandbox-secret'
  const ORDER: HashedRequest = {
    merchantId: '1',
    paymentRef: 'åre-7',
    customerRef: 'kim',
    amount: '10.00',
    currency: 'SEK',
    test: true,
  }
  const md5 = (text: string | Buffer) => createHash('md5').update(text).digest('hex')
  const told = (
    sent: string,
    over: Partial<HashedRequest> = {},
    mistaken: Record<string, string> = {},
  ) =>
    diagnoseHash({ request: { ...ORDER, ...over }, sent, secret: SECRET, mistaken }, 'all').join(
      ' ',
    )

  test.each([
    ['1åre-7kim10sektest', 'The amount was hashed without decimals'],
    ['1åre-7kim10.0sektest', 'The amount was hashed with one decimal'],
    ['1åre-7kim1000sektest', 'The amount was hashed in hundredths'],
    ['1åre-7kim10,00sektest', 'The amount was hashed with a comma'],
    ['1åre-7kim10.00sek', 'The word test was left out'],
    ['1åre-7kim10.00sektrue', '"true" was hashed for test'],
    ['1åre-710.00sektest', 'customer_ref was sent and not hashed'],
    ['1kim10.00sektest', 'payment_ref was left out'],
    ['åre-7kim10.00sektest', 'merchant_id was left out'],
    ['1åre-7kim10.00test', 'The currency was left out'],
    ['1%C3%A5re-7kim10.00sektest', 'URL-encoded'],
    [
      '1åre-7kimsek10.00test',
      'hashed as merchant_id + payment_ref + customer_ref + currency + amount + "test"',
    ],
    [
      '1åre-7kim10sek',
      'The amount was hashed without decimals. Hash it as it is sent, with two decimals. The word test',
    ],
  ])('the diagnosis of an order hashed %s is %s', (text, says) => {
    expect(told(md5(text + SECRET))).toContain(says)
  })

  const TEXT = '1åre-7kim10.00sektest'
  test.each([
    [
      'SHA-1',
      createHash('sha1')
        .update(TEXT + SECRET)
        .digest('hex'),
    ],
    [
      'SHA-256',
      createHash('sha256')
        .update(TEXT + SECRET)
        .digest('hex'),
    ],
    ['Latin-1', md5(Buffer.from(TEXT + SECRET, 'latin1'))],
    [
      'base64',
      createHash('md5')
        .update(TEXT + SECRET)
        .digest('base64'),
    ],
    ['an MD5 of an MD5'.replace('an ', ''), md5(md5(TEXT + SECRET))],
    ['The secret was hashed first', md5(SECRET + TEXT)],
    ['The secret was left out', md5(TEXT)],
    ['A space or line end follows the secret', md5(`${TEXT}${SECRET}\n`)],
    ['The text itself was sent', TEXT + SECRET],
    ['The hash has spaces around it', ` ${md5(TEXT + SECRET)}`],
    ['The parts were joined with "|"', md5(`1|åre-7|kim|10.00|sek|test|${SECRET}`)],
  ])('the mistake %s is named', (says, sent) => {
    expect(told(sent)).toContain(says)
  })

  test('currency in capitals and the recipe A are named if the merchant does not accept them', () => {
    expect(told(md5(`1åre-7kim10.00SEKtest${SECRET}`), { currency: 'sek' })).toContain(
      'in capitals',
    )
    expect(told(md5(`1åre-710.00${SECRET}`))).toContain(
      'The recipe "A" leaves out currency and test',
    )
  })

  test.for([
    ['the currency in Turkish', { currency: 'ISK' }, '1åre-7kim10.00ısktest', 'Turkish rules'],
    ['composed letters', { paymentRef: 'a\u030are-7' }, '1åre-7kim10.00sektest', 'form NFC'],
    ['decomposed letters', {}, '1a\u030are-7kim10.00sektest', 'form NFD'],
  ] as const)('a hash over %s is named', ([, sent, text, says]) => {
    expect(told(md5(text + SECRET), sent)).toContain(says)
  })

  test('a placeholder for an empty customer_ref, and a test flag that was not sent, are named', () => {
    expect(told(md5(`1åre-7null10.00sektest${SECRET}`), { customerRef: '' })).toContain(
      '"null" was hashed',
    )
    expect(told(md5(`1åre-710.00sektest${SECRET}`), { customerRef: '', test: false })).toContain(
      'has no test=true',
    )
  })

  test('the password instead of the secret is named together with a second mistake, without its value', () => {
    const mistaken = { 'the API password': 'custom00', 'the secret of merchant 2': 'other-secret' }
    expect(told(md5(`${TEXT}custom00`), {}, mistaken)).toBe(
      'The wrong secret was hashed: the API password. Use the secret of this merchant.',
    )
    expect(told(md5('1åre-7kim10sektestother-secret'), {}, mistaken)).toMatch(
      /without decimals.*secret of merchant 2/,
    )
  })

  test('an unknown mistake and a correct hash give no diagnosis', () => {
    expect(told('0'.repeat(32))).toBe('')
    expect(told(md5(TEXT + SECRET))).toBe('')
    expect(told('x')).toBe('')
  })

  test('an amount that was sent with fewer decimals may be hashed with two', () => {
    expect(told(md5(`1åre-7kim10.00sek${SECRET}`), { amount: '10' })).toContain(
      'The word test was left out',
    )
  })

  test('a diagnosis is not attempted for an order that is far too long', () => {
    expect(
      told(md5(`1${'x'.repeat(5_000)}kim10sektest${SECRET}`), { paymentRef: 'x'.repeat(5_000) }),
    ).toBe('')
  })
})
