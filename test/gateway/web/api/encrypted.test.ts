import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CARD, type Fields, hashed, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY, OTHER_PUBLIC_KEY, TEST_PUBLIC_KEY } from '../../../helpers/keys.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const other = {
  id: 2,
  password: 'password 2',
  secret: 'secret 2',
  private_key: OTHER_PRIVATE_KEY,
}
const shop = await sharedGateway({ merchants: [MERCHANT, other] })

const rsa = (message: Buffer | string, pem = TEST_PUBLIC_KEY) =>
  publicEncrypt(
    { key: createPublicKey(pem), padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(message),
  )
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

const CARD_NAMES = Object.keys(CARD)
const encryptValue = (value: string) => base64(rsa(base64(value)))

/**
 * Returns a payment like from a browser, with some values encrypted and listed. The hash covers the
 * plain values.
 */
function hide(fields: Fields, names: readonly string[], encrypt = encryptValue): Fields {
  const sent: Fields = { merchant_id: 1, ...hashed(fields, MERCHANT) }
  const hidden = Object.fromEntries(names.map((name) => [name, encrypt(String(sent[name]))]))
  return { ...sent, ...hidden, encrypted: names.join() }
}

const pay = (fields: Fields) => shop.browser.post('/v1/transactions', fields)

test('any parameter can be encrypted, including the hash and the amount', async () => {
  const fields = payment({ metadata: '{"a":1}', customer_ref: 'c1' })
  const names = [
    ...CARD_NAMES,
    'amount',
    'currency',
    'payment_ref',
    'customer_ref',
    'test',
    'metadata',
    'hash',
  ]
  const { body } = await shop.post('/v1/transactions', hide(fields, names))
  expect(body).toMatchObject({
    status: 'approved',
    amount: '10.00',
    metadata: { a: 1 },
    ref: 'c1',
    test: true,
  })
})

test('a server with a password can encrypt as well, also in an update', async () => {
  const { body } = await shop.post('/v1/transactions', { ...payment(), process: false, ...urls })
  const card = Object.fromEntries(
    Object.entries(CARD).map(([name, value]) => [name, encryptValue(value)]),
  )
  const paid = await shop.put(`/v1/transactions/${body.id}`, {
    ...card,
    encrypted: CARD_NAMES.join(),
  })
  expect(paid.body.status).toBe('approved')
})
const urls = { success_url: 'https://shop.example/thanks', error_url: 'https://shop.example/sorry' }

describe('a listed name that is not sent is rejected with error 194', () => {
  for (const encrypted of ['card_number,card_ccv', 'card_numbers', 'nothing'])
    test(encrypted, async () => {
      expect((await pay({ ...hide(payment(), ['card_number']), encrypted })).body).toMatchObject({
        code: 194,
        name: 'errors.encrypted_param.missing',
      })
    })
})

describe('every broken ciphertext gets the same answer, error 197', () => {
  const cases = [
    ['clear text', (value: string) => value],
    [
      'the key of another merchant',
      (value: string) => base64(rsa(base64(value), OTHER_PUBLIC_KEY)),
    ],
    ['the value without its inner base64', (value: string) => base64(rsa(`${value}!`))],
  ] as const
  for (const [what, encrypt] of cases)
    test(what, async () => {
      const { status, headers, body } = await pay(hide(payment(), ['card_number'], encrypt))
      const [, first] = cases[0]
      const reference = await pay(hide(payment(), ['card_number'], first))
      expect({ status, body }).toEqual({ status: 400, body: reference.body })
      expect(body).toMatchObject({ code: 197, name: 'errors.decryption.failed' })
      expect(headers.get('mondido-explain')).toBe(reference.headers.get('mondido-explain'))
    })
})

test('the link to the hash checker omits encrypted values', async () => {
  const { headers } = await pay(hide(payment({ hash: 'x' }), ['amount']))
  const link = new URL(headers.get('mondido-explain')?.split(' Check the hash: ')[1] ?? '')
  expect([link.searchParams.has('amount'), link.searchParams.has('payment_ref')]).toEqual([
    false,
    true,
  ])
})
