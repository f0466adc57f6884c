import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { HashedRequest } from '../../../../mock-gateway/domain/order/hash.ts'
import { diagnoseHash } from '../../../../mock-gateway/domain/order/hash-diagnosis.ts'

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
  diagnoseHash({ request: { ...ORDER, ...over }, sent, secret: SECRET, mistaken }, 'all').join(' ')

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
  expect(told(md5(`1åre-7kim10.00SEKtest${SECRET}`), { currency: 'sek' })).toContain('in capitals')
  expect(told(md5(`1åre-710.00${SECRET}`))).toContain('The recipe "A" leaves out currency and test')
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
