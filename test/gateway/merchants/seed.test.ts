import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createKeyRing } from '../../../mock-gateway/merchants/keys.ts'
import { DUMMY_PASSWORD_HASH, verifyPassword } from '../../../mock-gateway/merchants/password.ts'
import { DEFAULT_MERCHANT, seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import { readMerchantSeeds } from '../../../mock-gateway/merchants/seed-schema.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { openTestDatabase } from '../storage/databases.ts'

const SEED = { id: 7, password: 'secret pass', secret: 's3cr3t' }
const weakKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})

describe('a configured merchant is rejected if', () => {
  for (const [what, value, where] of [
    ['the list is empty', [], ''],
    ['they are not a list', SEED, ''],
    ['one has no id', [{ ...SEED, id: undefined }], 'id'],
    ['an id is zero', [{ ...SEED, id: 0 }], 'id'],
    ['an id is text', [{ ...SEED, id: '7' }], 'id'],
    ['a password has five characters', [{ ...SEED, password: '12345' }], 'password'],
    ['a secret is empty', [{ ...SEED, secret: '' }], 'secret'],
    ['a key is not PEM', [{ ...SEED, private_key: 'abc' }], 'private_key'],
    ['a key has 1024 bits', [{ ...SEED, private_key: weakKey }], 'private_key'],
    ['a key is not RSA', [{ ...SEED, private_key: ecKey }], 'private_key'],
    ['a name is misspelt', [{ ...SEED, passwort: 'x' }], 'passwort'],
    ['a setting is unknown', [{ ...SEED, settings: { live_card: 'refuse' } }], 'live_card'],
    [
      'a setting has an unknown value',
      [{ ...SEED, settings: { live_cards: 'charge' } }],
      'live_cards',
    ],
    [
      'a currency is unknown',
      [{ ...SEED, settings: { account_currency: 'xxx' } }],
      'account_currency',
    ],
  ] as const)
    test(what, () => expect(() => readMerchantSeeds(value, 'The merchants')).toThrow(where))

  test('a complete configured merchant is accepted', () =>
    expect(readMerchantSeeds([SEED], 'The merchants')).toMatchObject([SEED]))
})

describe('a merchant', () => {
  test('gets only one key, however many requests need it simultaneously', async () => {
    const database = await openTestDatabase()
    await seedMerchants(database, [SEED], 0)
    const rings = [createKeyRing(database), createKeyRing(database)]
    const keys = await Promise.all([...rings, ...rings].map((ring) => ring.of(7)))
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
  })

  test('a merchant that does not exist has no keys', async () => {
    const database = await openTestDatabase()
    await expect(createKeyRing(database).of(99)).rejects.toThrow('no merchant 99')
  })
})

describe('a password', () => {
  test('the default merchant accepts the default password, and no other password', async () => {
    const database = await openTestDatabase()
    await seedMerchants(database, [DEFAULT_MERCHANT], 0)
    const { password_hash = '' } = (await findMerchant(database.db, 1)) ?? {}
    const fits = await Promise.all(
      ['custom00', 'custom01'].map((each) => verifyPassword(each, password_hash)),
    )
    expect(fits).toEqual([true, false])
  })

  test('the password of an unknown merchant is never correct', async () => {
    for (const guess of ['', 'custom00', '\0'])
      expect(await verifyPassword(guess, DUMMY_PASSWORD_HASH)).toBe(false)
  })
})

test('the default merchant has its documented values', () =>
  expect(DEFAULT_MERCHANT).toMatchObject({ id: 1, password: 'custom00', secret: 'sandbox-secret' }))
