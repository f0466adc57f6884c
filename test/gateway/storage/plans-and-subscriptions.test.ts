import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import {
  deleteCustomer,
  findCustomerByRef,
  insertCustomer,
} from '../../../mock-gateway/storage/customers.ts'
import { readPage } from '../../../mock-gateway/storage/list.ts'
import { insertPlan, updatePlan } from '../../../mock-gateway/storage/plans.ts'
import { findRow, holdRow } from '../../../mock-gateway/storage/rows.ts'
import {
  findNewestActiveCard,
  findOwnerId,
  insertStoredCard,
} from '../../../mock-gateway/storage/stored-cards.ts'
import { updateSubscription } from '../../../mock-gateway/storage/subscriptions.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import {
  customerRow,
  NOW,
  newMerchant,
  newSubscription,
  planRow,
  storedCardRow,
  transactionRow,
} from './new-rows.ts'

onEveryDatabase((database) => {
  test('a plan is stored, found and changed', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const plan = await insertPlan(database().db, planRow(merchantId))
    expect(plan).toEqual({ id: plan.id, ...planRow(merchantId) })
    expect(await findRow(database().db, 'plans', merchantId, plan.id)).toEqual(plan)
    expect(await findRow(database().db, 'plans', other, plan.id)).toBeUndefined()
    const changes = { status: 'cancelled', updated_at: NOW + 1 } as const
    expect(await updatePlan(database().db, plan.id, changes)).toEqual({ ...plan, ...changes })
  })

  test('a subscription is stored, found and changed, with amounts of any size', async () => {
    const merchantId = await newMerchant(database().db)
    const subscription = await newSubscription(database().db, merchantId)
    expect(subscription).toMatchObject({
      price: Number.MAX_SAFE_INTEGER,
      quantity: 1_000_000,
      debt: -500,
    })
    expect(await findRow(database().db, 'subscriptions', merchantId, subscription.id)).toEqual(
      subscription,
    )
    const changes = { status: 'cancelled', metadata: { a: 1 } } as const
    expect(await updateSubscription(database().db, subscription.id, changes)).toEqual({
      ...subscription,
      ...changes,
    })
  })

  test('a subscription needs a plan and a stored card that exist', async () => {
    const merchantId = await newMerchant(database().db)
    await expect(
      newSubscription(database().db, merchantId, { plan_id: 987_654_321 }),
    ).rejects.toThrow(/foreign key/i)
    await expect(
      newSubscription(database().db, merchantId, { stored_card_id: 987_654_321 }),
    ).rejects.toThrow(/foreign key/i)
  })

  test('a page of subscriptions is filtered by customer and ordered by the next charge', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await insertCustomer(database().db, customerRow(merchantId))
    const [late, early] = [
      await newSubscription(database().db, merchantId, { customer_id: id, next_at: NOW + 2 }),
      await newSubscription(database().db, merchantId, { customer_id: id, next_at: NOW + 1 }),
    ]
    await newSubscription(database().db, merchantId)
    const listing = {
      limit: 10,
      offset: 0,
      startId: undefined,
      order: { field: 'next_at', direction: 'asc' },
      filters: [],
    } as const
    const { db, dialect } = database()
    const page = await readPage(
      db,
      dialect,
      'subscriptions',
      { merchantId, where: { customer_id: id } },
      listing,
    )
    expect(page).toEqual({ batches: [[early, late]], total: 2 })
  })

  test('a locked row makes others wait, so that no change is lost', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await newSubscription(database().db, merchantId, { debt: hundredths(0) })
    const addOne = () =>
      database().write(async (queries) => {
        const held = await holdRow(queries, 'subscriptions', merchantId, id, NOW)
        await updateSubscription(queries, id, { debt: hundredths((held?.debt ?? 0) + 1) })
      })
    await Promise.all(Array.from({ length: 40 }, addOne))
    expect(await findRow(database().db, 'subscriptions', merchantId, id)).toMatchObject({
      debt: 40,
    })
  })

  test('locking a row sets its date, unless the following work fails', async () => {
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
    expect(await holdRow(db, 'plans', merchantId, id, NOW + 3)).toMatchObject({
      updated_at: NOW + 3,
    })
  })

  test('a transaction stores its order', async () => {
    const merchantId = await newMerchant(database().db)
    const order = { plan_id: 9, start_date: NOW, subscription_quantity: 2, subscription_items: [] }
    const { id } = await insertTransaction(database().db, transactionRow(merchantId, order))
    expect(await findRow(database().db, 'transactions', merchantId, id)).toMatchObject(order)
  })

  test('a customer is found by the merchant’s own ref', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const anna = await insertCustomer(database().db, customerRow(merchantId, { ref: 'anna' }))
    expect(await findCustomerByRef(database().db, merchantId, 'anna')).toEqual(anna)
    expect(await findCustomerByRef(database().db, other, 'anna')).toBeUndefined()
  })

  test('the newest card of a customer is found, without cancelled cards', async () => {
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

  test('the newest card of a customer that fits a condition is found', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await insertCustomer(database().db, customerRow(merchantId))
    const cardOf = (over: Parameters<typeof storedCardRow>[1]) =>
      insertStoredCard(database().db, storedCardRow(merchantId, { customer_id: id, ...over }))
    const live = await cardOf({ currency: 'sek', test: false })
    const test = await cardOf({ currency: 'sek', test: true })
    const euro = await cardOf({ currency: 'eur', test: true })
    for (const [choice, found] of [
      [{}, euro],
      [{ currencies: ['sek'] }, test],
      [{ currencies: ['sek', 'eur'] }, euro],
      [{ currencies: ['nok'] }, undefined],
      [{ currencies: [] }, undefined],
      [{ test: true }, euro],
      [{ test: false }, live],
      [{ currencies: ['eur'], test: false }, undefined],
    ] as const)
      expect(await findNewestActiveCard(database().db, merchantId, id, choice)).toEqual(found)
  })

  test('the owner of a card is its customer, as long as the customer exists', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await insertCustomer(database().db, customerRow(merchantId))
    const card = await insertStoredCard(
      database().db,
      storedCardRow(merchantId, { customer_id: id }),
    )
    expect(await findOwnerId(database().db, card)).toBe(id)
    expect(await findOwnerId(database().db, { ...card, customer_id: null })).toBeNull()
    await deleteCustomer(database().db, id)
    expect(await findOwnerId(database().db, card)).toBeNull()
  })
})
