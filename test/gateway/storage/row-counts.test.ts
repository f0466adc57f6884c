import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertCustomer } from '../../../mock-gateway/storage/customers.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import type { ListedTable } from '../../../mock-gateway/storage/schema.ts'
import { insertStoredCard } from '../../../mock-gateway/storage/stored-cards.ts'
import { insertRefund, insertWebhooks } from '../../../mock-gateway/storage/transaction-parts.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { customerRow, NOW, newMerchant, storedCardRow, transactionRow } from './new-rows.ts'

/** What the table of counts says, and what counting says. */
async function counts({ db }: Database, table: ListedTable, merchantId: number) {
  const kept = await db
    .selectFrom('row_counts')
    .select('count')
    .where('merchant_id', '=', merchantId)
    .where('resource', '=', table)
    .executeTakeFirst()
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where merchant_id = ${merchantId}`.execute(db)
  return [kept?.count ?? 0, rows[0]?.n]
}

/** Adds a row of each listed table. */
async function addOfEach({ db }: Database, merchantId: number) {
  const { id } = await insertTransaction(db, transactionRow(merchantId))
  const part = { merchant_id: merchantId, transaction_id: id, created_at: NOW }
  await insertStoredCard(db, storedCardRow(merchantId))
  await insertCustomer(db, customerRow(merchantId))
  await insertRefund(db, { ...part, amount: 1, reason: 'a reason' })
  await insertWebhooks(db, [{ ...part, type: 'Email', trigger: 'payment', email: 'shop@example.com' }])
}

const TABLES = ['transactions', 'stored_cards', 'customers', 'refunds', 'webhooks'] as const

onEveryDatabase((database) => {
  test.each(TABLES)('the count of %s follows inserts and deletes, merchants apart from each other', async (table) => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    expect(await counts(database(), table, merchantId)).toEqual([0, 0])
    for (const id of [merchantId, merchantId, other]) await addOfEach(database(), id)
    expect(await counts(database(), table, merchantId)).toEqual([2, 2])
    for (const part of ['refunds', 'webhooks'] as const)
      await database().db.deleteFrom(part).where('merchant_id', '=', merchantId).execute()
    await database().db.deleteFrom(table).where('merchant_id', '=', merchantId).execute()
    expect(await counts(database(), table, merchantId)).toEqual([0, 0])
    expect(await counts(database(), table, other)).toEqual([1, 1])
  })

  test('what is rolled back is not counted', async () => {
    const merchantId = await newMerchant(database().db)
    const failing = database().write(async (queries) => {
      await insertTransaction(queries, transactionRow(merchantId))
      throw new Error('after all, no')
    })
    await expect(failing).rejects.toThrow('after all, no')
    expect(await counts(database(), 'transactions', merchantId)).toEqual([0, 0])
  })

  test('of many writes at once, some of which fail, the others are counted', async () => {
    const merchantId = await newMerchant(database().db)
    const writes = Array.from({ length: 60 }, (_, index) =>
      database().write((queries) =>
        insertTransaction(queries, transactionRow(merchantId, { payment_ref: `order-${index % 20}` })),
      ),
    )
    const kept = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled')
    expect(kept).toHaveLength(20)
    expect(await counts(database(), 'transactions', merchantId)).toEqual([20, 20])
  })
})
