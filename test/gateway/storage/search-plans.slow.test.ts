import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test, vi } from 'vitest'
import type { Filter } from '../../../mock-gateway/domain/listing.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { readPage } from '../../../mock-gateway/storage/list.ts'
import { countNewestPayments } from '../../../mock-gateway/storage/overview.ts'
import { groupErrors } from '../../../mock-gateway/storage/requests.ts'
import { filePlace, openTestDatabase, sharedPlace } from './databases.ts'

const target = await sharedPlace(filePlace)
await (await openDatabase(target)).close()
const file = new DatabaseSync(target)
afterAll(() => file.close())

/** Returns the steps of SQLite's plan for a query. */
const explain = (query: string) =>
  file
    .prepare(`explain query plan ${query}`)
    .all()
    .map(({ detail }) => String(detail))

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
])(
  'SQLite counts %s with the condition %s in an index that begins with more columns than the merchant',
  (table, condition) => {
    const details = explain(`select count(*) from ${table} where merchant_id = ? and ${condition}`)
    expect(details.join()).toMatch(
      /USING (?:COVERING )?INDEX \w+ \((?:merchant_id=\? AND \S+|(?:token|event_id|customer_id)=\?.*)\)/,
    )
  },
)

test('SQLite reads the newest deliveries and requests of a merchant in index order, without sorting', () => {
  for (const table of ['webhook_deliveries', 'requests'])
    expect(
      explain(`select id from ${table} where merchant_id = ? order by id desc limit 9`),
    ).toEqual([expect.stringMatching(/INDEX \w+ \(merchant_id=\?\)$/)])
})

/**
 * Returns the queries of a page of payments and of their total, and SQLite's query plan for the
 * page.
 */
async function queriesOf(filter: Filter, offset = 1) {
  const database = await openTestDatabase(target)
  const asked = vi.spyOn(database.db.getExecutor(), 'executeQuery')
  const order = { field: 'id', direction: 'desc' } as const
  const listing = { limit: 10, offset, order, filters: [filter], startId: undefined }
  await readPage(database.db, 'sqlite', 'transactions', { merchantId: 1 }, listing)
  const [page = '', total = ''] = asked.mock.calls.map(([query]) => query.sql)
  return { page, total, plan: explain(page).join('\n') }
}

test('SQLite finds payments of a time range with an index', async () => {
  const { plan } = await queriesOf({ kind: 'range', field: 'created_at', from: 0, to: 1 })
  expect(plan).toContain('INDEX transactions_by_time')
})

test('SQLite finds payments by the last four digits of their cards without reading the card', async () => {
  const { page, total, plan } = await queriesOf({
    kind: 'like',
    field: 'card_number',
    parts: ['', '1111'],
  })
  expect(plan).toContain('INDEX transactions_by_card')
  expect(page + total).not.toContain('glob')
})

test('SQLite reads errors and newest payments of the overview from an index alone', async () => {
  const database = await openTestDatabase(target)
  const asked = vi.spyOn(database.db.getExecutor(), 'executeQuery')
  await groupErrors(database.db, 1)
  await countNewestPayments(database.db, 1, 1_000)
  const details = asked.mock.calls.flatMap(([query]) => explain(query.sql))
  expect(details.filter((detail) => detail.startsWith('SEARCH'))).toEqual([
    'SEARCH requests USING COVERING INDEX requests_by_error (merchant_id=? AND error>?)',
    'SEARCH transactions USING COVERING INDEX transactions_by_time (merchant_id=?)',
  ])
})
