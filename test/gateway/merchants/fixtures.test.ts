import { expect, test } from 'vitest'
import { readFixtures } from '../../../mock-gateway/merchants/fixtures.ts'
import { loadFixtures } from '../../../mock-gateway/merchants/load-fixtures.ts'
import { verifyPassword } from '../../../mock-gateway/merchants/password.ts'
import { seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { findAll } from '../../../mock-gateway/storage/rows.ts'
import { createSeededBytes, MERCHANT, START } from '../../helpers/gateway.ts'
import { useDatabase } from '../storage/databases.ts'

const FILE = readFixtures({
  plans: [{ name: 'Of the file', interval: 1, interval_unit: 'months', prices: { sek: '10.00' } }],
})

test.each(['plans', 'stored_cards', 'transactions', 'templates'] as const)(
  'a file with 1,000 wrong %s is rejected for the first of them',
  (name) => {
    const read = () => readFixtures({ [name]: Array.from({ length: 1_000 }, () => ({})) })
    expect(read).toThrow(
      expect.objectContaining({ explain: expect.stringContaining(`${name}[0].`) }),
    )
    expect(read).toThrow(
      expect.objectContaining({ explain: expect.not.stringContaining(`${name}[20].`) }),
    )
  },
)

const database = useDatabase()
test('the password of a merchant in a file is hashed without scrypt until the start-up configuration sets it', async () => {
  const seed = { id: 70, password: 'of the file', secret: 'secret' }
  const dependencies = {
    randomBytes: createSeededBytes('fixtures'),
    now: START,
    checkTemplate: async () => [],
  }
  await loadFixtures({ ...dependencies, database: database() }, readFixtures({ merchants: [seed] }))
  const loaded = await findMerchant(database().db, seed.id)
  expect(loaded?.password_hash).toMatch(/^sha256\$/)
  expect(await verifyPassword(seed.password, loaded?.password_hash ?? '')).toBe(true)
  await seedMerchants(database(), [seed], START)
  expect((await findMerchant(database().db, seed.id))?.password_hash).toMatch(/^scrypt\$/)
})

test('if five gateways start with the same file at the same time, only one loads it', async () => {
  await seedMerchants(database(), [MERCHANT], START)
  const load = () =>
    loadFixtures(
      {
        database: database(),
        randomBytes: createSeededBytes('fixtures'),
        now: START,
        onlyFirst: true,
        checkTemplate: async () => [],
      },
      FILE,
    )
  await Promise.all(Array.from({ length: 5 }, load))
  expect(await findAll(database().db, 'plans', { merchant_id: undefined })).toMatchObject([
    { name: 'Of the file' },
  ])
})
