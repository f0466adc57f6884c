import { expect, test } from 'vitest'
import { findOrCreateCustomer } from '../../../mock-gateway/storage/customers.ts'
import { isUniqueViolation } from '../../../mock-gateway/storage/database.ts'
import { insertRow, updateRow } from '../../../mock-gateway/storage/rows.ts'
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

  test('40 parallel requests for a new customer all get the same one', async () => {
    const merchantId = await newMerchant(database().db)
    const wanted = Array.from({ length: 40 }, () =>
      database().write((queries) => findOrCreateCustomer(queries, merchantId, 'wanted', NOW)),
    )
    expect(new Set((await Promise.all(wanted)).map(({ id }) => id)).size).toBe(1)
  })

  test('a ref of another customer is rejected, when inserting and when changing', async () => {
    const merchantId = await newMerchant(database().db)
    const other = await insertRow(database().db, 'customers', customerRow(merchantId))
    await insertRow(database().db, 'customers', customerRow(merchantId, { ref: 'taken' }))
    expect(
      await refusal(
        insertRow(database().db, 'customers', customerRow(merchantId, { ref: 'taken' })),
      ),
    ).toBe(true)
    expect(await refusal(updateRow(database().db, 'customers', other.id, { ref: 'taken' }))).toBe(
      true,
    )
  })
})
