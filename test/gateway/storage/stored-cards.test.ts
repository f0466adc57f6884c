import { expect, test } from 'vitest'
import { isUniqueViolation } from '../../../mock-gateway/storage/database.ts'
import { findOne, insertRow } from '../../../mock-gateway/storage/rows.ts'
import { onEveryDatabase } from './databases.ts'
import { newMerchant, storedCardRow } from './new-rows.ts'

onEveryDatabase((database) => {
  test('a stored card is found by its token, by its own merchant only', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const row = storedCardRow(merchantId)
    const stored = await insertRow(database().db, 'stored_cards', row)
    expect(stored).toEqual({ ...row, id: stored.id })
    expect(
      await findOne(database().db, 'stored_cards', { merchant_id: merchantId, token: row.token }),
    ).toEqual(stored)
    expect(
      await findOne(database().db, 'stored_cards', { merchant_id: other, token: row.token }),
    ).toBeUndefined()
    expect(
      await findOne(database().db, 'stored_cards', {
        merchant_id: merchantId,
        token: row.token.toUpperCase(),
      }),
    ).toBeUndefined()
  })

  test('no two cards have one token, whatever the merchant', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const { token } = await insertRow(database().db, 'stored_cards', storedCardRow(merchantId))
    await expect(
      insertRow(database().db, 'stored_cards', storedCardRow(other, { token })),
    ).rejects.toSatisfy(isUniqueViolation)
  })
})
