import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { insertCustomer } from '../../../mock-gateway/storage/customers.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { COUNTED_BY, LISTED_FIELDS } from '../../../mock-gateway/storage/list.ts'
import { COUNTED } from '../../../mock-gateway/storage/migrations/first-tables/counted.ts'
import { insertRefund } from '../../../mock-gateway/storage/refunds.ts'
import type { ListedTable, Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { insertWebhooks } from '../../../mock-gateway/storage/webhooks.ts'
import { onEveryDatabase, postgresPlace } from './databases.ts'
import {
  customerRow,
  NOW,
  newMerchant,
  newSubscription,
  transactionRow,
  webhookRow,
} from './new-rows.ts'

/**
 * Rows of a merchant by the values that its table is counted by: as kept, and as counting finds
 * them now.
 */
async function counts({ db }: Database, table: ListedTable, merchantId: number) {
  const columns = sql.join([
    sql.ref('merchant_id'),
    ...COUNTED_BY[table].map((column) => sql.ref(column)),
  ])
  const ofMerchant = sql`where merchant_id = ${merchantId}`
  const sorted = async (query: RawBuilder<unknown>) =>
    (await query.execute(db)).rows.map((row) => JSON.stringify(row)).sort()
  return {
    kept: await sorted(
      sql`select ${columns}, cast(sum(count) as bigint) as count from ${sql.table(`${table}_counts`)} ${ofMerchant}
        group by ${columns} having sum(count) <> 0`,
    ),
    found: await sorted(
      sql`select ${columns}, count(*) as count from ${sql.table(table)} ${ofMerchant} group by ${columns}`,
    ),
  }
}

/**
 * Fails unless what is kept is what counting finds. @returns how many groups there are, and rows in
 * them
 */
async function expectInStep(database: Database, table: ListedTable, merchantId: number) {
  const { kept, found } = await counts(database, table, merchantId)
  expect({ table, kept }).toEqual({ table, kept: found })
  return {
    groups: kept.length,
    rows: kept.reduce((sum, group) => sum + JSON.parse(group).count, 0),
  }
}

/** Adds a row of each listed table. */
async function addOfEach({ db }: Database, merchantId: number) {
  const { id } = await insertTransaction(db, transactionRow(merchantId))
  const part = { merchant_id: merchantId, transaction_id: id, created_at: NOW }
  await newSubscription(db, merchantId)
  await insertCustomer(db, customerRow(merchantId))
  await insertRefund(db, { ...part, amount: hundredths(1), reason: 'a reason' })
  await insertWebhooks(db, [webhookRow(part, { type: 'Email', email: 'shop@example.com' })])
}

/** In an order in which they can be emptied: none holds rows that a later one refers to. */
const TABLES = [
  'refunds',
  'webhooks',
  'transactions',
  'subscriptions',
  'plans',
  'stored_cards',
  'customers',
] as const

/** Another value of each column, and where there can be none: null. */
const CHANGES = [
  ['transactions', 'status', 'declined'],
  ['transactions', 'test', 0],
  ['transactions', 'currency', 'eur'],
  ['transactions', 'card_type', null],
  ['transactions', 'transaction_type', null],
  ['transactions', 'transaction_type', 'stored_card'],
  ['stored_cards', 'status', 'cancelled'],
  ['stored_cards', 'test', 0],
  ['stored_cards', 'currency', 'eur'],
  ['stored_cards', 'card_type', 'mastercard'],
  ['webhooks', 'type', 'CustomHttp'],
  ['plans', 'status', 'cancelled'],
  ['plans', 'interval_unit', 'days'],
  ['subscriptions', 'status', 'cancelled'],
] as const

test('every table that is listed is counted, by fields that it can be filtered by', () => {
  expect([...TABLES].sort()).toEqual(Object.keys(LISTED_FIELDS).sort())
  for (const [table, columns] of Object.entries(COUNTED_BY)) {
    expect(Object.keys(LISTED_FIELDS[table as ListedTable])).toEqual(
      expect.arrayContaining([...columns]),
    )
    const changed = CHANGES.flatMap(([of, column]) => (of === table ? [column] : []))
    expect([...new Set<string>(changed)]).toEqual(columns)
  }
})

test('lists read the counts that the tables have', () => {
  expect(COUNTED_BY).toEqual(Object.fromEntries(COUNTED.map(({ table, by }) => [table, by])))
})

onEveryDatabase((database) => {
  test('counts follow inserts and deletes, merchants apart from each other', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    for (const id of [merchantId, merchantId, other]) await addOfEach(database(), id)
    for (const table of TABLES) {
      expect(await expectInStep(database(), table, merchantId)).toEqual({ groups: 1, rows: 2 })
      await sql`delete from ${sql.table(table)} where merchant_id = ${merchantId}`.execute(
        database().db,
      )
      expect(await expectInStep(database(), table, merchantId)).toEqual({ groups: 0, rows: 0 })
    }
    for (const table of TABLES)
      expect(await expectInStep(database(), table, other)).toEqual({ groups: 1, rows: 1 })
  })

  test.each(CHANGES)(
    'counts of %s follow a change of %s to %s, and back',
    async (table, column, value) => {
      const merchantId = await newMerchant(database().db)
      for (const _ of [1, 2, 3]) await addOfEach(database(), merchantId)
      const ofMerchant = sql`merchant_id = ${merchantId}`
      const set = (to: unknown) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${ofMerchant}
      and id = (select min(id) from ${sql.table(table)} where ${ofMerchant})`.execute(database().db)
      const { rows } = await sql<{ value: unknown }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where ${ofMerchant}`.execute(
        database().db,
      )
      expect(await expectInStep(database(), table, merchantId)).toEqual({ groups: 1, rows: 3 })
      await set(value)
      expect(await expectInStep(database(), table, merchantId)).toEqual({ groups: 2, rows: 3 })
      await set(rows[0]?.value)
      expect(await expectInStep(database(), table, merchantId)).toEqual({ groups: 1, rows: 3 })
    },
  )

  test('what is rolled back is not counted', async () => {
    const merchantId = await newMerchant(database().db)
    const failing = database().write(async (queries) => {
      await insertTransaction(queries, transactionRow(merchantId))
      throw new Error('after all, no')
    })
    await expect(failing).rejects.toThrow('after all, no')
    expect(await expectInStep(database(), 'transactions', merchantId)).toEqual({
      groups: 0,
      rows: 0,
    })
  })

  test('of many writes at once, some of which fail, the others are counted', async () => {
    const merchantId = await newMerchant(database().db)
    const writes = Array.from({ length: 60 }, (_, index) =>
      database().write((queries) =>
        insertTransaction(
          queries,
          transactionRow(merchantId, { payment_ref: `order-${index % 20}` }),
        ),
      ),
    )
    const kept = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled')
    expect(kept).toHaveLength(20)
    expect(await expectInStep(database(), 'transactions', merchantId)).toEqual({
      groups: 1,
      rows: 20,
    })
  })
})

test('payments of one merchant do not wait for each other to be counted, on PostgreSQL', async () => {
  const { target, remove } = await postgresPlace()
  const database = await openDatabase(target)
  const merchantId = await newMerchant(database.db)
  const pay = (queries: Queries) => insertTransaction(queries, transactionRow(merchantId))
  try {
    await database.write(async (queries) => {
      await pay(queries)
      // Each by a connection of its own; some of them may count in the same place as this one.
      await Promise.any(Array.from({ length: 8 }, () => database.write(pay)))
    })
    await expect
      .poll(() => expectInStep(database, 'transactions', merchantId))
      .toEqual({ groups: 1, rows: 9 })
  } finally {
    await database.close()
    await remove()
  }
})
