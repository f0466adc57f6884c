import { expect, test } from 'vitest'
import {
  deleteCustomer,
  findOrCreateCustomer,
  insertCustomer,
  updateCustomer,
} from '../../../mock-gateway/storage/customers.ts'
import { isUniqueViolation } from '../../../mock-gateway/storage/database.ts'
import { findRow } from '../../../mock-gateway/storage/rows.ts'
import { onEveryDatabase } from './databases.ts'
import { customerRow, NOW, newMerchant } from './new-rows.ts'

const refusal = (work: Promise<unknown>) => work.then(() => undefined, isUniqueViolation)

onEveryDatabase((database) => {
  test('an unknown customer_ref creates a customer, a known one finds it', async () => {
    const merchantId = await newMerchant(database().db)
    const made = await findOrCreateCustomer(database().db, merchantId, 'anna', NOW)
    expect(made).toEqual({ id: made.id, ...customerRow(merchantId, { ref: 'anna' }) })
    expect(await findOrCreateCustomer(database().db, merchantId, 'anna', NOW + 1)).toEqual(made)
  })

  test('the same ref belongs to different customers at two merchants, and in different case', async () => {
    const [one, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const found = [
      await findOrCreateCustomer(database().db, one, 'anna', NOW),
      await findOrCreateCustomer(database().db, one, 'Anna', NOW),
      await findOrCreateCustomer(database().db, other, 'anna', NOW),
    ]
    expect(new Set(found.map(({ id }) => id)).size).toBe(3)
  })

  test('40 parallel requests for a new customer all get the same one', async () => {
    const merchantId = await newMerchant(database().db)
    const wanted = Array.from({ length: 40 }, () =>
      database().write((queries) => findOrCreateCustomer(queries, merchantId, 'wanted', NOW)),
    )
    expect(new Set((await Promise.all(wanted)).map(({ id }) => id)).size).toBe(1)
  })

  test('many customers can have no ref', async () => {
    const merchantId = await newMerchant(database().db)
    const [one, other] = [
      await insertCustomer(database().db, customerRow(merchantId)),
      await insertCustomer(database().db, customerRow(merchantId)),
    ]
    expect(one.id).not.toBe(other.id)
  })

  test('a ref of another customer is rejected, when inserting and when changing', async () => {
    const merchantId = await newMerchant(database().db)
    const other = await insertCustomer(database().db, customerRow(merchantId))
    await insertCustomer(database().db, customerRow(merchantId, { ref: 'taken' }))
    expect(
      await refusal(insertCustomer(database().db, customerRow(merchantId, { ref: 'taken' }))),
    ).toBe(true)
    expect(await refusal(updateCustomer(database().db, other.id, { ref: 'taken' }))).toBe(true)
  })

  test('an update changes the named columns, and a deleted customer is not found', async () => {
    const merchantId = await newMerchant(database().db)
    const made = await insertCustomer(database().db, customerRow(merchantId, { ref: 'anna' }))
    const changed = await updateCustomer(database().db, made.id, { metadata: { a: 1 } })
    expect(changed).toEqual({ ...made, metadata: { a: 1 } })
    await deleteCustomer(database().db, made.id)
    expect(await findRow(database().db, 'customers', merchantId, made.id)).toBeUndefined()
  })
})
