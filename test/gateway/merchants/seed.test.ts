import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGateway } from '../../../mock-gateway/gateway.ts'
import { createKeyRing } from '../../../mock-gateway/merchants/keys.ts'
import {
  DUMMY_PASSWORD_HASH,
  hashPassword,
  verifyPassword,
} from '../../../mock-gateway/merchants/password.ts'
import { DEFAULT_MERCHANT, seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import { readMerchantSeeds } from '../../../mock-gateway/merchants/seed-schema.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { TEST_PRIVATE_KEY, TEST_PUBLIC_KEY } from '../../helpers/keys.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seed-'))
})
afterAll(() => rm(folder, { recursive: true }))

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
  test('gets an RSA key of 2048 bits, which is stored, when it first needs a key', async () => {
    const publicKeys: string[] = []
    for (const _ of ['first start', 'second start']) {
      const database = await openDatabase(join(folder, 'keys.db'))
      await seedMerchants(database, [SEED], 0)
      const { privateKey, publicKey } = await createKeyRing(database).of(7)
      expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
      publicKeys.push(publicKey)
      await database.close()
    }
    expect(publicKeys[0]).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
    expect(publicKeys[1]).toBe(publicKeys[0])
  })

  test('gets only one key, however many requests need it simultaneously', async () => {
    const database = await openDatabase('memory')
    await seedMerchants(database, [SEED], 0)
    const rings = [createKeyRing(database), createKeyRing(database)]
    const keys = await Promise.all([...rings, ...rings].map((ring) => ring.of(7)))
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
    await database.close()
  })

  test('keeps its configured key, and follows later changes of the configuration', async () => {
    const database = await openDatabase('memory')
    await seedMerchants(database, [{ ...SEED, private_key: TEST_PRIVATE_KEY }], 0)
    await seedMerchants(
      database,
      [{ ...SEED, name: 'Cups', secret: 'new', settings: { error_object: true } }],
      5,
    )
    const merchant = await findMerchant(database.db, 7)
    expect(merchant).toMatchObject({ name: 'Cups', secret: 'new', created_at: 0, updated_at: 5 })
    expect(merchant?.settings).toMatchObject({ error_object: true })
    expect(merchant?.public_key?.trim()).toBe(TEST_PUBLIC_KEY)
    await database.close()
  })

  test.each([
    ['1 without any', 1, undefined, ['http://localhost:*', 'http://127.0.0.1:*']],
    ['1 with others', 1, { page_minutes: 5 }, ['http://localhost:*', 'http://127.0.0.1:*']],
    ['1 with its own', 1, { frame_parents: ['https://shop.example'] }, ['https://shop.example']],
    ['1 with none', 1, { frame_parents: [] }, []],
    ['7', 7, undefined, []],
  ])(
    'may be framed by shops on this machine if it is merchant 1: settings of %s',
    async (_what, id, settings, parents) => {
      const database = await openDatabase('memory')
      await seedMerchants(database, readMerchantSeeds([{ ...SEED, id, settings }], 'The file'), 0)
      expect((await findMerchant(database.db, id))?.settings.frame_parents).toEqual(parents)
      await database.close()
    },
  )

  test('a merchant that does not exist has no keys', async () => {
    const database = await openDatabase('memory')
    await expect(createKeyRing(database).of(99)).rejects.toThrow('no merchant 99')
    await database.close()
  })
})

test('gets its keys when a page requests the library, not for a payment', async () => {
  const path = join(folder, 'on-demand.db')
  const library = join(folder, 'library.js')
  await writeFile(library, '')
  const gateway = await createGateway({ database: path, library })
  const other = await openDatabase(path)
  const publicKey = async () => (await findMerchant(other.db, 1))?.public_key
  const ask = (url: string, login = '') =>
    gateway.handle(
      new Request(`http://localhost:4400${url}`, {
        headers: { authorization: `Basic ${btoa(login)}` },
      }),
    )
  expect((await ask('/v1/transactions', '1:custom00')).status).toBe(200)
  expect(await publicKey()).toBeNull()
  const served = await (await ask('/v2/mondido.js?merchant_id=1')).text()
  expect(served).toContain(JSON.stringify(await publicKey()))
  await Promise.all([gateway.close(), other.close()])
})

describe('a password', () => {
  test('the default merchant accepts the default password, and no other password', async () => {
    const database = await openDatabase('memory')
    await seedMerchants(database, [DEFAULT_MERCHANT], 0)
    const { password_hash = '' } = (await findMerchant(database.db, 1)) ?? {}
    await database.close()
    const fits = await Promise.all(
      ['custom00', 'custom01'].map((each) => verifyPassword(each, password_hash)),
    )
    expect(fits).toEqual([true, false])
  })

  test('is stored as scrypt with its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('custom00'), hashPassword('custom00')])
    expect(one).toMatch(/^scrypt\$[\w+/=]{24}\$[\w+/=]{44}$/)
    expect(one).not.toBe(two)
    expect([await verifyPassword('custom00', one), await verifyPassword('custom01', one)]).toEqual([
      true,
      false,
    ])
  })

  test('the password of an unknown merchant is never correct', async () => {
    for (const guess of ['', 'custom00', '\0'])
      expect(await verifyPassword(guess, DUMMY_PASSWORD_HASH)).toBe(false)
  })
})

test('the default merchant has its documented values', () =>
  expect(DEFAULT_MERCHANT).toMatchObject({ id: 1, password: 'custom00', secret: 'sandbox-secret' }))
