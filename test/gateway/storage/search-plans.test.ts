import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { readPage } from '../../../mock-gateway/storage/list.ts'
import { filePlace } from './databases.ts'

test.each([
  ['transactions', 'payment_ref = ?'],
  ['transactions', 'amount = ?'],
  ['transactions', 'amount >= ?'],
  ['transactions', 'created_at >= ?'],
  ['transactions', 'error_name = ?'],
  ['transactions', 'card_number is not null and substr(card_number, length(card_number) - 3) = ?'],
  ['transactions', 'customer_id = ?'],
  ['customers', 'ref = ?'],
  ['stored_cards', 'token = ?'],
  ['webhook_deliveries', 'event_id = ?'],
])('SQLite counts %s with %s by an index that has more than whose they are', async (table, condition) => {
  const place = await filePlace()
  await (await openDatabase(place.target)).close()
  const file = new DatabaseSync(place.target)
  const plan = file.prepare(`explain query plan select count(*) from ${table} where merchant_id = ? and ${condition}`)
  const details = plan.all().map(({ detail }) => String(detail))
  expect(details.join()).toMatch(
    /USING (?:COVERING )?INDEX \w+ \((?:merchant_id=\? AND \S+|(?:token|event_id|customer_id)=\?.*)\)/,
  )
  file.close()
  await place.remove()
})

test('SQLite reads the newest deliveries and requests of a merchant in their order, and sorts none', async () => {
  const place = await filePlace()
  await (await openDatabase(place.target)).close()
  const file = new DatabaseSync(place.target)
  for (const table of ['webhook_deliveries', 'requests']) {
    const plan = file.prepare(
      `explain query plan select id from ${table} where merchant_id = ? order by id desc limit 9`,
    )
    const details = plan.all().map(({ detail }) => String(detail))
    expect(details).toEqual([expect.stringMatching(/INDEX \w+ \(merchant_id=\?\)$/)])
  }
  file.close()
  await place.remove()
})

test('SQLite sorts the ids of payments of a time, and reads whole rows of one page only', async () => {
  const place = await filePlace()
  const database = await openDatabase(place.target)
  const asked = vi.spyOn(database.db.getExecutor(), 'executeQuery')
  await readPage(
    database.db,
    'sqlite',
    'transactions',
    { merchantId: 1 },
    {
      limit: 10,
      offset: 0,
      order: { field: 'id', direction: 'desc' },
      filters: [{ kind: 'range', field: 'created_at', from: 0, to: 1 }],
      startId: undefined,
    },
  )
  const [page = ''] = asked.mock.calls.map(([query]) => query.sql)
  await database.close()
  const file = new DatabaseSync(place.target)
  const details = file
    .prepare(`explain query plan ${page}`)
    .all()
    .map(({ detail }) => String(detail))
  expect(details).toContainEqual(expect.stringMatching(/^SEARCH transactions USING COVERING INDEX/))
  file.close()
  await place.remove()
})
