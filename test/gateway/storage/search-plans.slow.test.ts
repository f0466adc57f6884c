import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import type { Filter } from '../../../mock-gateway/domain/listing.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { readPage } from '../../../mock-gateway/storage/list.ts'
import { countNewestPayments } from '../../../mock-gateway/storage/overview.ts'
import { groupErrors } from '../../../mock-gateway/storage/requests.ts'
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
])(
  'SQLite counts %s with the condition %s in an index that begins with more columns than the merchant',
  async (table, condition) => {
    const place = await filePlace()
    await (await openDatabase(place.target)).close()
    const file = new DatabaseSync(place.target)
    const plan = file.prepare(
      `explain query plan select count(*) from ${table} where merchant_id = ? and ${condition}`,
    )
    const details = plan.all().map(({ detail }) => String(detail))
    expect(details.join()).toMatch(
      /USING (?:COVERING )?INDEX \w+ \((?:merchant_id=\? AND \S+|(?:token|event_id|customer_id)=\?.*)\)/,
    )
    file.close()
    await place.remove()
  },
)

test('SQLite reads the newest deliveries and requests of a merchant in index order, without sorting', async () => {
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

/**
 * Returns the queries of a page of payments and of their total, and SQLite's query plan for the
 * page.
 */
async function queriesOf(filter: Filter, offset = 1) {
  const place = await filePlace()
  const database = await openDatabase(place.target)
  const asked = vi.spyOn(database.db.getExecutor(), 'executeQuery')
  const order = { field: 'id', direction: 'desc' } as const
  const listing = { limit: 10, offset, order, filters: [filter], startId: undefined }
  await readPage(database.db, 'sqlite', 'transactions', { merchantId: 1 }, listing)
  const [page = '', total = ''] = asked.mock.calls.map(([query]) => query.sql)
  await database.close()
  const file = new DatabaseSync(place.target)
  const plan = file.prepare(`explain query plan ${page}`).all()
  file.close()
  await place.remove()
  return { page, total, plan: plan.map(({ detail }) => String(detail)).join('\n') }
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
  const place = await filePlace()
  const database = await openDatabase(place.target)
  const asked = vi.spyOn(database.db.getExecutor(), 'executeQuery')
  await groupErrors(database.db, 1)
  await countNewestPayments(database.db, 1, 1_000)
  const texts = asked.mock.calls.map(([query]) => query.sql)
  await database.close()
  const file = new DatabaseSync(place.target)
  const steps = texts.flatMap((text) => file.prepare(`explain query plan ${text}`).all())
  const details = steps.map(({ detail }) => String(detail))
  expect(details.filter((detail) => detail.startsWith('SEARCH'))).toEqual([
    'SEARCH requests USING COVERING INDEX requests_by_error (merchant_id=? AND error>?)',
    'SEARCH transactions USING COVERING INDEX transactions_by_time (merchant_id=?)',
  ])
  file.close()
  await place.remove()
})
