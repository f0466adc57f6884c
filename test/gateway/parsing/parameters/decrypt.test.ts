import {
  constants,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
} from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  listEncryptedNames,
  listEncryptedValues,
  MAX_ENCRYPTED,
  withDecryptedValues,
} from '../../../../mock-gateway/parsing/parameters/decrypt.ts'
import { decryptValue } from '../../../../mock-gateway/parsing/parameters/decrypt-value.ts'
import {
  object,
  type Parameters,
  text,
} from '../../../../mock-gateway/parsing/parameters/parameters.ts'
import { countCalls } from '../../../helpers/crypto-calls.ts'
import { OTHER_PUBLIC_KEY, TEST_PRIVATE_KEY, TEST_PUBLIC_KEY } from '../../../helpers/keys.ts'

const KEY = createPrivateKey(TEST_PRIVATE_KEY)
const PUBLIC = createPublicKey(TEST_PUBLIC_KEY)

const rsa = (message: Buffer | string, key: KeyObject = PUBLIC) =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(message))
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const encrypt = (value: string) => base64(rsa(base64(value)))
const wrap = (line: string, columns: number, end = '\n') =>
  line.replace(new RegExp(`.{1,${columns}}`, 'g'), `$&${end}`)

/** Decrypts like the gateway, on this thread. */
function decryptParameters(parameters: Parameters, key: KeyObject): Parameters {
  const names = listEncryptedNames(parameters, MAX_ENCRYPTED.loggedIn)
  const values = listEncryptedValues(parameters, names).map((value) => decryptValue(value, key))
  return withDecryptedValues(parameters, names, values)
}

const decrypt = (card_number: string) =>
  decryptParameters({ card_number, encrypted: 'card_number' }, KEY)

test('the parameter encrypted lists every supported name once, and no other', () => {
  const sent = { a: '1', b: '2', c: '3' }
  expect([...listEncryptedNames({ ...sent, encrypted: 'a, b,,a' }, 2)]).toEqual(['a', 'b'])
  expect(() => listEncryptedNames({ ...sent, encrypted: 'a,b,c' }, 2)).toThrow(
    'errors.request.bad_format',
  )
})

describe('the list of encrypted parameters', () => {
  const sent = {
    card_number: encrypt('4111111111111111'),
    card_cvv: encrypt('200'),
    card_holder: 'Anna',
  }
  const CLEAR = { card_number: '4111111111111111', card_cvv: '200' }

  for (const [encrypted, names] of [
    ['card_number,card_cvv', ['card_number', 'card_cvv']],
    [' card_number , card_cvv ', ['card_number', 'card_cvv']],
    ['card_number,card_number,,card_cvv,', ['card_number', 'card_cvv']],
    ['', []],
    [' , ', []],
    [null, []],
  ] as const)
    test(`${JSON.stringify(encrypted)} names ${names.join(' and ') || 'nothing'}`, () =>
      expect(decryptParameters({ ...sent, encrypted }, KEY)).toEqual({
        ...sent,
        ...Object.fromEntries(names.map((name) => [name, CLEAR[name]])),
        encrypted,
      }))

  test('can be omitted', () => expect(decryptParameters(sent, KEY)).toEqual(sent))

  for (const [encrypted, error] of [
    ['card_expiry', 'errors.encrypted_param.missing'],
    ['card_number,card_expiry', 'errors.encrypted_param.missing'],
    ['card_number;card_cvv', 'errors.encrypted_param.missing'],
    ['__proto__', 'errors.encrypted_param.missing'],
    ['empty', 'errors.encrypted_param.missing'],
    ['unset', 'errors.encrypted_param.missing'],
    ['encrypted', 'errors.request.bad_format'],
    [['card_number'], 'errors.request.bad_format'],
    [
      Array.from({ length: MAX_ENCRYPTED.loggedIn + 1 }, (_, index) => `p${index}`).join(),
      'errors.request.bad_format',
    ],
  ] as const)
    test(`${JSON.stringify(encrypted).slice(0, 40)} is rejected with ${error}`, () => {
      const parameters = Object.assign(Object.create(null), sent, {
        empty: '',
        unset: null,
        encrypted,
      })
      expect(() => decryptParameters(parameters, KEY)).toThrow(error)
    })

  test('does not change the parameters that were passed in', () => {
    const parameters = Object.freeze({ ...sent, encrypted: 'card_cvv' })
    expect(text(decryptParameters(parameters, KEY), 'card_cvv')).toBe('200')
    expect(parameters.card_cvv).toBe(sent.card_cvv)
  })
})

describe('every client in use is understood', () => {
  const value = 'Åsa Öberg, 漢字 😀'
  const inner = base64(value.repeat(3))
  for (const [client, ciphertext] of [
    ['one line in both layers', base64(rsa(inner))],
    ['outer lines of 64, each ended', wrap(base64(rsa(inner)), 64)],
    [
      'both layers in lines of 60, the last not ended',
      wrap(base64(rsa(wrap(inner, 60).trimEnd())), 60).trimEnd(),
    ],
    [
      'both layers in lines of 76 with CR LF',
      wrap(base64(rsa(wrap(inner, 76, '\r\n'))), 76, '\r\n'),
    ],
    ['blanks around', ` ${base64(rsa(` ${inner} `))} `],
  ] as const)
    test(client, () => expect(decrypt(ciphertext).card_number).toBe(value.repeat(3)))

  test('an encrypted empty text is an unset value', () =>
    expect(text(decrypt(encrypt('')), 'card_number')).toBeUndefined())

  test('a ciphertext that lost its leading zero bytes is decrypted', () => {
    let ciphertext = rsa(base64('4111'))
    while (ciphertext[0] !== 0) ciphertext = rsa(base64('4111'))
    expect(decrypt(base64(ciphertext.subarray(1))).card_number).toBe('4111')
  })

  test('JSON text in an encrypted parameter is read like JSON text in a form', () => {
    const parameters = decryptParameters(
      { metadata: encrypt('{"a":[1]}'), encrypted: 'metadata' },
      KEY,
    )
    expect(object(parameters, 'metadata', 'errors.metadata.invalid')).toEqual({ a: [1] })
  })

  test('any UTF-8 text of up to 183 bytes is decrypted unchanged', () => {
    const value = fc
      .string({ unit: 'binary', maxLength: 183 })
      .filter((text) => Buffer.byteLength(text) <= 183 && !text.includes('\0'))
    fc.assert(
      fc.property(value, (text) => {
        expect(decrypt(encrypt(text)).card_number).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  test('a ciphertext holds at most 183 bytes', () => {
    expect(decrypt(encrypt('x'.repeat(183))).card_number).toHaveLength(183)
    expect(() => encrypt('x'.repeat(184))).toThrow('data too large')
  })
})

describe('values that cannot be decrypted all get the same answer', () => {
  const good = encrypt('4111111111111111')
  /**
   * Creates an RSA block by hand: the given head, padding bytes 01 up to the separator, and line
   * breaks and the base64 text of 4111 as message.
   */
  const pkcs1 = (head: readonly number[], padding: number, zeroInMessage = 2 + padding) => {
    const block = Buffer.alloc(256, '\n')
    block.fill(1, 2, 2 + padding).set(head)
    block[2 + padding] = 0
    block[zeroInMessage] = 0
    block.set(Buffer.from(base64('4111')), 248)
    return base64(publicEncrypt({ key: PUBLIC, padding: constants.RSA_NO_PADDING }, block))
  }

  for (const padding of [8, 9, 200])
    test(`a hand-made block with ${padding} bytes of padding is accepted`, () =>
      expect(decrypt(pkcs1([0, 2], padding)).card_number).toBe('4111'))

  for (const [what, value] of [
    ['clear text', '4111111111111111'],
    ['not base64', '!'],
    ['only blanks', '  '],
    ['url-safe base64', `-_${good.slice(2)}`],
    ['missing padding', good.replace(/=+$/, '')],
    ['a block too short', base64(Buffer.alloc(10, 7))],
    ['a block too long', base64(Buffer.alloc(257, 7))],
    ['a number above the modulus', base64(Buffer.alloc(256, 255))],
    ['the number 0', base64(Buffer.alloc(256))],
    ['the stand-in itself', base64(Buffer.alloc(256, 1))],
    ['the key of somebody else', base64(rsa(base64('4111'), createPublicKey(OTHER_PUBLIC_KEY)))],
    ['padding of type 1', pkcs1([0, 1], 8)],
    ['a first byte other than 0', pkcs1([1, 2], 8)],
    ['seven bytes of padding', pkcs1([0, 2], 7)],
    ['no padding', pkcs1([0, 2], 0)],
    ['a zero byte inside the message', pkcs1([0, 2], 8, 14)],
    ['OAEP', base64(publicEncrypt(PUBLIC, Buffer.from(base64('4111'))))],
    ['an inner layer that is not base64', base64(rsa('4111 !'))],
    ['an inner layer without padding', base64(rsa('NDExMTE'))],
    ['bad UTF-8 inside', base64(rsa(base64(Buffer.from([0xc0, 0xaf]))))],
    ['a NUL character inside', encrypt('4111\0')],
  ] as const)
    test(what, () => expect(() => decrypt(value)).toThrow('errors.decryption.failed'))

  for (const value of [true, 5, ['x'], { a: 'x' }])
    test(`the value ${JSON.stringify(value)} instead of text`, () =>
      expect(() => decryptParameters({ value, encrypted: 'value' }, KEY)).toThrow(
        'errors.decryption.failed',
      ))

  test('a block without a separator', () => {
    const block = Buffer.alloc(256, 1)
    block.set([0, 2])
    const ciphertext = publicEncrypt({ key: PUBLIC, padding: constants.RSA_NO_PADDING }, block)
    expect(() => decrypt(base64(ciphertext))).toThrow('errors.decryption.failed')
  })

  test('1,000 changed ciphertexts', () => {
    const original = rsa(base64('4111111111111111'))
    for (let index = 0; index < 1000; index += 1) {
      const changed = Buffer.from(original)
      const at = index % changed.length
      changed[at] = (changed[at] ?? 0) ^ (1 + (index % 255))
      expect(() => decrypt(base64(changed))).toThrow('errors.decryption.failed')
    }
  })

  test('one invalid value causes the error even if the other values are valid', () =>
    expect(() => decryptParameters({ a: good, b: 'x', c: good, encrypted: 'a,b,c' }, KEY)).toThrow(
      'errors.decryption.failed',
    ))

  test('every invalid value costs at least one RSA operation', () => {
    const operations = countCalls('privateDecrypt')
    for (const value of ['!', base64(Buffer.alloc(256, 255)), base64(rsa('not base64!'))]) {
      const before = operations()
      expect(() => decrypt(value)).toThrow()
      expect(operations() - before).toBeGreaterThanOrEqual(1)
    }
  })
})
