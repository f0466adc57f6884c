import { type Insertable, Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, test } from 'vitest'
import { findCustomerByRef, insertCustomer } from '../../../mock-gateway/storage/customers.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { readPage } from '../../../mock-gateway/storage/list.ts'
import { migrateToLatest } from '../../../mock-gateway/storage/migrate.ts'
import { firstTables } from '../../../mock-gateway/storage/migrations/0001-first-tables.ts'
import { insertPlan, planColumns, planTermsOf, updatePlan } from '../../../mock-gateway/storage/plans.ts'
import { postgresDialect } from '../../../mock-gateway/storage/postgres.ts'
import { findRow, holdRow } from '../../../mock-gateway/storage/rows.ts'
import type { PlanTable, SubscriptionTable, Tables } from '../../../mock-gateway/storage/schema.ts'
import { sqliteDialect } from '../../../mock-gateway/storage/sqlite.ts'
import { findNewestActiveCard, insertStoredCard } from '../../../mock-gateway/storage/stored-cards.ts'
import { insertSubscription, updateSubscription } from '../../../mock-gateway/storage/subscriptions.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { DATABASES, onEveryDatabase } from './databases.ts'
import { customerRow, NOW, newMerchant, storedCardRow, transactionRow } from './new-rows.ts'

const planRow = (merchantId: number, over: Partial<Insertable<PlanTable>> = {}): Insertable<PlanTable> => ({
  merchant_id: merchantId,
  name: 'Monthly',
  description: '',
  interval: 1,
  interval_unit: 'months',
  prices: '{"sek":9900}',
  setup_fees: '{}',
  periods: 0,
  trial_length: 0,
  status: 'active',
  created_at: NOW,
  updated_at: NOW,
  ...over,
})

/** Adds a subscription, with a plan and a card of its own. */
async function newSubscription(
  { db }: Database,
  merchantId: number,
  over: Partial<Insertable<SubscriptionTable>> = {},
) {
  const plan = await insertPlan(db, planRow(merchantId))
  const card = await insertStoredCard(db, storedCardRow(merchantId))
  return insertSubscription(db, {
    merchant_id: merchantId,
    plan_id: plan.id,
    customer_id: null,
    stored_card_id: card.id,
    status: 'active',
    currency: 'sek',
    price: Number.MAX_SAFE_INTEGER,
    quantity: 1_000_000,
    items: '[]',
    debt: -500,
    interval: 1,
    interval_unit: 'months',
    total_periods: 12,
    period_count: 1,
    retry_count: 0,
    start_date: NOW,
    anchor_at: NOW,
    next_at: NOW + 1,
    metadata: null,
    test: 1,
    created_at: NOW,
    updated_at: NOW,
    ...over,
  })
}

const counted = async ({ db }: Database, resource: string, merchantId: number) =>
  (
    await db
      .selectFrom('row_counts')
      .select('count')
      .where('merchant_id', '=', merchantId)
      .where('resource', '=', resource)
      .executeTakeFirst()
  )?.count

onEveryDatabase((database) => {
  test('a plan is kept, found and changed', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const plan = await insertPlan(database().db, planRow(merchantId))
    expect(plan).toEqual({ id: plan.id, ...planRow(merchantId) })
    expect(await findRow(database().db, 'plans', merchantId, plan.id)).toEqual(plan)
    expect(await findRow(database().db, 'plans', other, plan.id)).toBeUndefined()
    const changes = { status: 'cancelled', updated_at: NOW + 1 } as const
    expect(await updatePlan(database().db, plan.id, changes)).toEqual({ ...plan, ...changes })
  })

  test('terms become columns and come back', async () => {
    const row = await insertPlan(
      database().db,
      planRow(await newMerchant(database().db), { setup_fees: '{"eur":500}' }),
    )
    const terms = planTermsOf(row)
    expect(terms).toMatchObject({ prices: { sek: 9900 }, setup_fees: { eur: 500 } })
    expect(planColumns(terms)).toEqual(row)
  })

  test('a subscription is kept, found and changed, with amounts of any size', async () => {
    const merchantId = await newMerchant(database().db)
    const subscription = await newSubscription(database(), merchantId)
    expect(subscription).toMatchObject({ price: Number.MAX_SAFE_INTEGER, quantity: 1_000_000, debt: -500 })
    expect(await findRow(database().db, 'subscriptions', merchantId, subscription.id)).toEqual(subscription)
    const changes = { status: 'cancelled', metadata: '{"a":1}' } as const
    expect(await updateSubscription(database().db, subscription.id, changes)).toEqual({ ...subscription, ...changes })
  })

  test('a subscription needs a plan and a stored card that exist', async () => {
    const merchantId = await newMerchant(database().db)
    await expect(newSubscription(database(), merchantId, { plan_id: 987_654_321 })).rejects.toThrow(/foreign key/i)
    await expect(newSubscription(database(), merchantId, { stored_card_id: 987_654_321 })).rejects.toThrow(
      /foreign key/i,
    )
  })

  test('counts follow inserts and deletes', async () => {
    const merchantId = await newMerchant(database().db)
    for (const _ of [1, 2]) await newSubscription(database(), merchantId)
    expect(await counted(database(), 'plans', merchantId)).toBe(2)
    expect(await counted(database(), 'subscriptions', merchantId)).toBe(2)
    for (const table of ['subscriptions', 'plans'] as const) {
      await database().db.deleteFrom(table).where('merchant_id', '=', merchantId).execute()
      expect(await counted(database(), table, merchantId)).toBe(0)
    }
  })

  test('a page of subscriptions is filtered by customer and ordered by what comes next', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await insertCustomer(database().db, customerRow(merchantId))
    const [late, early] = [
      await newSubscription(database(), merchantId, { customer_id: id, next_at: NOW + 2 }),
      await newSubscription(database(), merchantId, { customer_id: id, next_at: NOW + 1 }),
    ]
    await newSubscription(database(), merchantId)
    const listing = {
      limit: 10,
      offset: 0,
      startId: undefined,
      order: { field: 'next_at', direction: 'asc' },
      filters: [],
    } as const
    const { db, dialect } = database()
    const page = await readPage(db, dialect, 'subscriptions', { merchantId, where: { customer_id: id } }, listing)
    expect(page).toEqual({ rows: [early, late], total: 2 })
  })

  test('a row that is held keeps others waiting: no change is lost', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await newSubscription(database(), merchantId, { debt: 0 })
    const addOne = () =>
      database().write(async (queries) => {
        const held = await holdRow(queries, 'subscriptions', merchantId, id, NOW)
        await updateSubscription(queries, id, { debt: (held?.debt ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 40 }, addOne))
    expect(await findRow(database().db, 'subscriptions', merchantId, id)).toMatchObject({ debt: 40 })
  })

  test('holding a row dates it, unless what follows fails', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const { db } = database()
    const { id } = await insertPlan(db, planRow(merchantId))
    expect(await holdRow(db, 'plans', other, id, NOW + 1)).toBeUndefined()
    expect(await holdRow(db, 'plans', merchantId, undefined, NOW + 1)).toBeUndefined()
    const failing = database().write(async (queries) => {
      await holdRow(queries, 'plans', merchantId, id, NOW + 2)
      throw new Error('after all, no')
    })
    await expect(failing).rejects.toThrow('after all, no')
    expect(await findRow(db, 'plans', merchantId, id)).toMatchObject({ updated_at: NOW })
    expect(await holdRow(db, 'plans', merchantId, id, NOW + 3)).toMatchObject({ updated_at: NOW + 3 })
  })

  test('a transaction keeps what was ordered with it', async () => {
    const merchantId = await newMerchant(database().db)
    const order = { plan_id: 9, start_date: NOW, subscription_quantity: 2, subscription_items: '[]' }
    const { id } = await insertTransaction(database().db, transactionRow(merchantId, order))
    expect(await findRow(database().db, 'transactions', merchantId, id)).toMatchObject(order)
  })

  test('a customer is found by the merchant’s own ref', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const anna = await insertCustomer(database().db, customerRow(merchantId, { ref: 'anna' }))
    expect(await findCustomerByRef(database().db, merchantId, 'anna')).toEqual(anna)
    expect(await findCustomerByRef(database().db, other, 'anna')).toBeUndefined()
  })

  test('the newest card of a customer that was not cancelled is found', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const { id } = await insertCustomer(database().db, customerRow(merchantId))
    const cardOf = (over: Parameters<typeof storedCardRow>[1]) =>
      insertStoredCard(database().db, storedCardRow(merchantId, { customer_id: id, ...over }))
    expect(await findNewestActiveCard(database().db, merchantId, id)).toBeUndefined()
    await cardOf({})
    const newest = await cardOf({})
    await cardOf({ status: 'cancelled' })
    await cardOf({ customer_id: null })
    expect(await findNewestActiveCard(database().db, merchantId, id)).toEqual(newest)
    expect(await findNewestActiveCard(database().db, other, id)).toBeUndefined()
  })
})

describe.each(DATABASES)('%s', (_name, open) => {
  test('data of the version before plans is kept, and orders nothing', async () => {
    const { target, remove } = await open()
    const dialect = target.startsWith('postgres') ? 'postgres' : 'sqlite'
    const path = target === 'memory' ? ':memory:' : target
    const db = new Kysely<Tables>({ dialect: dialect === 'postgres' ? postgresDialect(target) : sqliteDialect(path) })
    const provider = { getMigrations: async () => ({ '0001-first-tables': firstTables(dialect) }) }
    expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBeUndefined()
    const merchantId = await newMerchant(db)
    const { plan_id, start_date, subscription_quantity, subscription_items, ...before } = transactionRow(merchantId)
    const { id } = await insertTransaction(db, before)
    await migrateToLatest(db, dialect)
    const nothing = { plan_id, start_date, subscription_quantity, subscription_items }
    expect(await findRow(db, 'transactions', merchantId, id)).toMatchObject({ ...before, ...nothing })
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    expect(rows.map(({ name }) => name).slice(0, 2)).toEqual(['0001-first-tables', '0002-plans-and-subscriptions'])
    await db.destroy()
    await remove()
  })
})
