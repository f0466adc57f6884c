import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPublicKey } from '../../../sdk/crypto/rsa.ts'
import { createKeyPair } from '../helpers/keys.ts'

const { publicKey } = createKeyPair()
const body = publicKey.split('\n').slice(1, -2).join('')
const pem = (text: string) => `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`
const privateKeyOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
const exported = (pair: { publicKey: ReturnType<typeof generateKeyPairSync>['publicKey'] }) =>
  pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()

test.for<[string, string]>([
  ['with Windows line ends', publicKey.replaceAll('\n', '\r\n')],
  ['on one line', pem(body)],
  ['with text around it', `My key:\n${publicKey}\nEnd.`],
])('a key %s is read', ([, text]) => {
  expect(readPublicKey(text)).toMatchObject({
    exponent: 65537,
    modulus: expect.stringMatching(/^[89a-f][\da-f]{511}$/),
  })
})

test.for<[string, string]>([
  ['nothing', ''],
  ['words', 'not a key'],
  ['an empty PEM', pem('')],
  ['a PEM of other bytes', pem('aGVsbG8gd29ybGQ=')],
  ['a PEM that is not base64', pem('!!!!')],
  ['a key cut short', pem(body.slice(0, 200))],
  ['a private key', privateKeyOf(2048)],
  ['an elliptic curve key', exported(generateKeyPairSync('ec', { namedCurve: 'P-256' }))],
  ['an Ed25519 key', exported(generateKeyPairSync('ed25519') as never)],
  ['an RSA-PSS key', exported(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }) as never)],
])('%s is refused', ([, text]) => {
  expect(() => readPublicKey(text)).toThrow(
    expect.objectContaining({ code: 'config.public_key_invalid' }),
  )
})

test('a key of 1024 bits is rejected as too weak, in every mode', () => {
  const weak = createKeyPair(1024).publicKey
  expect(() => readPublicKey(weak)).toThrow(
    expect.objectContaining({ code: 'config.public_key_weak' }),
  )
})

test('invalid bytes always cause the same kind of error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(() => readPublicKey(pem(Buffer.from(bytes).toString('base64')))).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^config\.public_key_(invalid|weak)$/),
        }),
      )
    }),
  )
})
