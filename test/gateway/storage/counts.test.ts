import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import type { ListedTable, Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import { LISTED_FIELDS } from '../../../mock-gateway/storage/tables/schema.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { insertWebhooks } from '../../../mock-gateway/storage/webhooks.ts'
import { onEveryDatabase, openTestDatabase, openTestPlace, postgresPlace } from './databases.ts'
import {
  customerRow,
  NOW,
  newMerchant,
  newSubscription,
  transactionRow,
  webhookRow,
} from './new-rows.ts'

/** Returns the number of a merchant's rows: the stored count, and the rows counted now. */
async function countRows({ db }: Database, table: ListedTable, merchantId: number) {
  const one = async (query: RawBuilder<{ readonly count: number }>) =>
    Number((await query.execute(db)).rows[0]?.count)
  return {
    table,
    kept: await one(sql`select coalesce(sum(count), 0) as count from row_counts
      where table_name = ${table} and merchant_id = ${merchantId}`),
    found: await one(
      sql`select count(*) as count from ${sql.table(table)} where merchant_id = ${merchantId}`,
    ),
  }
}

/** Adds a row of each listed table. */
async function addOfEach({ db }: Database, merchantId: number) {
  const { id } = await insertTransaction(db, transactionRow(merchantId))
  const part = { merchant_id: merchantId, transaction_id: id, created_at: NOW }
  await newSubscription(db, merchantId)
  await insertRow(db, 'customers', customerRow(merchantId))
  await insertRow(db, 'refunds', { ...part, amount: hundredths(1), reason: 'a reason' })
  await insertWebhooks(db, [webhookRow(part, { type: 'Email', email: 'shop@example.com' })])
}

/** Tables in the order in which their rows can be deleted: no table refers to an earlier one. */
const TABLES = [
  'refunds',
  'webhooks',
  'transactions',
  'subscriptions',
  'plans',
  'stored_cards',
  'customers',
] as const

test('every table in the list is counted', () => {
  expect([...TABLES].sort()).toEqual(Object.keys(LISTED_FIELDS).sort())
})

onEveryDatabase((database) => {
  test('counts follow inserts and deletes, separately for each merchant', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    for (const id of [merchantId, merchantId, other]) await addOfEach(database(), id)
    for (const table of TABLES) {
      expect(await countRows(database(), table, merchantId)).toMatchObject({ kept: 2, found: 2 })
      await sql`delete from ${sql.table(table)} where merchant_id = ${merchantId}`.execute(
        database().db,
      )
      expect(await countRows(database(), table, merchantId)).toMatchObject({ kept: 0, found: 0 })
    }
    for (const table of TABLES)
      expect(await countRows(database(), table, other)).toMatchObject({ kept: 1, found: 1 })
  })

  test('a row that is rolled back is not counted', async () => {
    const merchantId = await newMerchant(database().db)
    const failing = database().write(async (queries) => {
      await insertTransaction(queries, transactionRow(merchantId))
      throw new Error('after all, no')
    })
    await expect(failing).rejects.toThrow('after all, no')
    expect(await countRows(database(), 'transactions', merchantId)).toMatchObject({
      kept: 0,
      found: 0,
    })
  })
})

test('parallel payments of one merchant do not wait for the count of each other, on PostgreSQL', async () => {
  const database = await openTestDatabase(await openTestPlace(postgresPlace))
  const merchantId = await newMerchant(database.db)
  const pay = (queries: Queries) => insertTransaction(queries, transactionRow(merchantId))
  await database.write(async (queries) => {
    await pay(queries)
    // Each payment uses its own connection. Some of them can update the same count as the running
    // write.
    await Promise.any(Array.from({ length: 8 }, () => database.write(pay)))
  })
  await expect
    .poll(() => countRows(database, 'transactions', merchantId))
    .toMatchObject({ kept: 9, found: 9 })
})
