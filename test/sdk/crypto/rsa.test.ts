import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { encryptValue, maxBytes, randomBytes, readPublicKey } from '../../../sdk/crypto/rsa.ts'
import { createKeyPair, decryptValue } from '../helpers/keys.ts'

const pair = createKeyPair()
const key = readPublicKey(pair.publicKey)

afterEach(() => vi.unstubAllGlobals())

test('every text of up to 183 UTF-8 bytes is decrypted unchanged', () => {
  const texts = fc
    .string({ unit: 'binary', maxLength: 183 })
    .filter((text) => Buffer.byteLength(text) <= 183)
  fc.assert(
    fc.property(texts, (text) => {
      expect(decryptValue(encryptValue(text, key), pair.privateKey)).toBe(text.toWellFormed())
    }),
    { numRuns: 100 },
  )
})

test.for<[string, string]>([
  ['Swedish letters', 'Åsa Öström'],
  ['the euro sign', '€'.repeat(61)],
  ['emoji', '🦊'.repeat(45)],
  ['nothing', ''],
  ['control characters', '\u0000\r\n\t'],
])('%s are decrypted unchanged', ([, text]) => {
  expect(decryptValue(encryptValue(text, key), pair.privateKey)).toBe(text)
})

test('the value is always as long as the key and on one line', () => {
  for (let round = 0; round < 600; round++) {
    const value = encryptValue('4111111111111111', key)
    expect(Buffer.from(value, 'base64')).toHaveLength(256)
    expect(value).toMatch(/^[\w+/]{342}==$/)
  }
})

test('the padding is random, without zero bytes, and has the form of PKCS#1 v1.5', () => {
  const blocks = Array.from({ length: 20 }, () => {
    const value = Buffer.from(encryptValue('200', key), 'base64')
    return privateDecrypt({ key: pair.privateKey, padding: constants.RSA_NO_PADDING }, value)
  })
  for (const block of blocks) {
    expect([block[0], block[1], block.indexOf(0, 2)]).toEqual([0, 2, 256 - 'MjAw'.length - 1])
  }
  expect(new Set(blocks.map(String)).size).toBe(blocks.length)
})

test('a zero byte from the random source is replaced', () => {
  const draws = [0, 0, 7]
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array) => bytes.fill(draws.shift() ?? 9),
  })
  const value = Buffer.from(encryptValue('200', key), 'base64')
  const block = privateDecrypt({ key: pair.privateKey, padding: constants.RSA_NO_PADDING }, value)
  expect(block[2]).toBe(7)
})

test.for<[string, string]>([
  ['ASCII', 'x'.repeat(184)],
  ['two-byte letters', 'å'.repeat(92)],
  ['emoji', '🦊'.repeat(46)],
])('%s of more than 183 bytes are rejected', ([, text]) => {
  expect(() => encryptValue(text, key)).toThrow(expect.objectContaining({ code: 'field.too_long' }))
})

test.for<[number, number, 'spki' | 'pkcs1', number]>([
  [2048, 0x10001, 'spki', 183],
  [2048, 3, 'spki', 183],
  [2048, 0x10001, 'pkcs1', 183],
  [2052, 0x10001, 'spki', 183],
  [3072, 0x10001, 'spki', 279],
  [4096, 3, 'pkcs1', 375],
])(
  'a key of %i bits with the exponent %i (%s) encrypts values of up to %i bytes',
  ([bits, exponent, type, limit]) => {
    const other = createKeyPair(bits, exponent, type)
    const otherKey = readPublicKey(other.publicKey)
    expect(maxBytes(otherKey)).toBe(limit)
    const text = 'x'.repeat(limit)
    expect(decryptValue(encryptValue(text, otherKey), other.privateKey)).toBe(text)
  },
)

test.for<[string, unknown]>([
  ['without crypto', undefined],
  ['without getRandomValues', {}],
])('nothing is encrypted %s, not even with weaker randomness', ([, crypto]) => {
  vi.stubGlobal('crypto', crypto)
  const random = vi.spyOn(Math, 'random')
  expect(() => encryptValue('200', key)).toThrow(
    expect.objectContaining({ code: 'crypto.unavailable' }),
  )
  expect(random).not.toHaveBeenCalled()
})

test('a browser without BigInt is reported when a value is encrypted, not before', () => {
  vi.stubGlobal('BigInt', undefined)
  const ownKey = readPublicKey(pair.publicKey)
  expect(() => encryptValue('200', ownKey)).toThrow(
    expect.objectContaining({ code: 'crypto.unavailable' }),
  )
})

test('the random source returns the requested number of bytes', () =>
  expect(randomBytes(16)).toHaveLength(16))

test.for<[string, unknown]>([
  ['Prototype.js', (list: Iterable<unknown>) => [...list]],
  ['MooTools', (item: unknown) => [item]],
])('encrypts next to %s, which replaces Array.from', ([, theirs]) => {
  const { from } = Array
  try {
    Object.assign(Array, { from: theirs })
    const ownKey = readPublicKey(pair.publicKey)
    expect(decryptValue(encryptValue('4111111111111111', ownKey), pair.privateKey)).toBe(
      '4111111111111111',
    )
  } finally {
    Array.from = from
  }
})

const { publicKey: pemKey } = pair

const body = pemKey.split('\n').slice(1, -2).join('')

const pem = (text: string) => `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`
const privateKeyOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

const exported = (keys: { publicKey: ReturnType<typeof generateKeyPairSync>['publicKey'] }) =>
  keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

test.for<[string, string]>([
  ['with Windows line ends', pemKey.replaceAll('\n', '\r\n')],
  ['on one line', pem(body)],
  ['with text around it', `My key:\n${pemKey}\nEnd.`],
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
