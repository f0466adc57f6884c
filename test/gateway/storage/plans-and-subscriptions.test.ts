import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import {
  deleteRows,
  findRow,
  holdRow,
  insertRow,
  updateRow,
} from '../../../mock-gateway/storage/rows.ts'
import { findOwnerId } from '../../../mock-gateway/storage/stored-cards.ts'
import { onEveryDatabase } from './databases.ts'
import {
  customerRow,
  NOW,
  newMerchant,
  newSubscription,
  planRow,
  storedCardRow,
} from './new-rows.ts'

onEveryDatabase((database) => {
  test('a plan is stored, found and changed', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const plan = await insertRow(database().db, 'plans', planRow(merchantId))
    expect(plan).toEqual({ id: plan.id, ...planRow(merchantId) })
    expect(await findRow(database().db, 'plans', merchantId, plan.id)).toEqual(plan)
    expect(await findRow(database().db, 'plans', other, plan.id)).toBeUndefined()
    const changes = { status: 'cancelled', updated_at: NOW + 1 } as const
    expect(await updateRow(database().db, 'plans', plan.id, changes)).toEqual({
      ...plan,
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

  test('a locked row makes others wait, so that no change is lost', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await newSubscription(database().db, merchantId, { debt: hundredths(0) })
    const addOne = () =>
      database().write(async (queries) => {
        const held = await holdRow(queries, 'subscriptions', merchantId, id, NOW)
        await updateRow(queries, 'subscriptions', id, { debt: hundredths((held?.debt ?? 0) + 1) })
      })
    await Promise.all(Array.from({ length: 40 }, addOne))
    expect(await findRow(database().db, 'subscriptions', merchantId, id)).toMatchObject({
      debt: 40,
    })
  })

  test('locking a row sets its date, unless the following work fails', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const { db } = database()
    const { id } = await insertRow(db, 'plans', planRow(merchantId))
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

  test('the owner of a card is its customer, as long as the customer exists', async () => {
    const merchantId = await newMerchant(database().db)
    const { id } = await insertRow(database().db, 'customers', customerRow(merchantId))
    const card = await insertRow(
      database().db,
      'stored_cards',
      storedCardRow(merchantId, { customer_id: id }),
    )
    expect(await findOwnerId(database().db, card)).toBe(id)
    expect(await findOwnerId(database().db, { ...card, customer_id: null })).toBeNull()
    await deleteRows(database().db, 'customers', { id })
    expect(await findOwnerId(database().db, card)).toBeNull()
  })
})
