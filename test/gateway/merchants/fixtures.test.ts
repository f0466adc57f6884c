import { expect, test } from 'vitest'
import { readFixtures } from '../../../mock-gateway/merchants/fixtures.ts'
import { loadFixtures } from '../../../mock-gateway/merchants/load-fixtures.ts'
import { seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import { allRows } from '../../../mock-gateway/storage/fixtures.ts'
import { MERCHANT, START, seededBytes } from '../../helpers/gateway.ts'
import { onEveryDatabase } from '../storage/databases.ts'

const FILE = readFixtures({
  plans: [{ name: 'Of the file', interval: 1, interval_unit: 'months', prices: { sek: '10.00' } }],
})

onEveryDatabase((database) => {
  test('of five gateways that begin with a file at once one loads it', async () => {
    await seedMerchants(database(), [MERCHANT], START)
    const load = () =>
      loadFixtures(
        {
          database: database(),
          randomBytes: seededBytes('fixtures'),
          now: START,
          onlyFirst: true,
          lookThrough: async () => [],
        },
        FILE,
      )
    await Promise.all(Array.from({ length: 5 }, load))
    expect(await allRows(database().db, 'plans', undefined)).toMatchObject([{ name: 'Of the file' }])
  })
})
