import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { startGateway } from '../../helpers/gateway.ts'
import { postgresPlace } from '../storage/databases.ts'

test('the search for due work uses one database connection, because requests need the others', async () => {
  const place = await postgresPlace()
  const shop = await startGateway({ database: place.target })
  const client = new pg.Client(inject('postgresUrl'))
  await client.connect()
  try {
    for (let look = 0; look < 3; look++) await shop.gateway.clock.read()
    const sql = 'select count(*)::int as count from pg_stat_activity where datname = $1'
    const { rows } = await client.query(sql, [new URL(place.target).pathname.slice(1)])
    // One connection is for the runner, and one for reading the clock at the same time.
    expect(rows[0].count).toBeLessThanOrEqual(2)
  } finally {
    await client.end()
    await shop.close()
    await place.remove()
  }
})
