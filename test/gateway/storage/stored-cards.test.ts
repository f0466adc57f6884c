import { expect, test } from 'vitest'
import { isUniqueViolation } from '../../../mock-gateway/storage/database.ts'
import {
  findStoredCardByToken,
  insertStoredCard,
  storedCardExists,
} from '../../../mock-gateway/storage/stored-cards.ts'
import { onEveryDatabase } from './databases.ts'
import { newMerchant, storedCardRow } from './new-rows.ts'

onEveryDatabase((database) => {
  test('a stored card is found by its token, by its own merchant only', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const row = storedCardRow(merchantId)
    const stored = await insertStoredCard(database().db, row)
    expect(stored).toEqual({ ...row, id: stored.id })
    expect(await findStoredCardByToken(database().db, merchantId, row.token)).toEqual(stored)
    expect(await findStoredCardByToken(database().db, other, row.token)).toBeUndefined()
    expect(
      await findStoredCardByToken(database().db, merchantId, row.token.toUpperCase()),
    ).toBeUndefined()
  })

  test('no two cards have one token, whatever the merchant', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const { token } = await insertStoredCard(database().db, storedCardRow(merchantId))
    await expect(
      insertStoredCard(database().db, storedCardRow(other, { token })),
    ).rejects.toSatisfy(isUniqueViolation)
  })

  test('an existing card is found by any merchant in a check for existence', async () => {
    const { id } = await insertStoredCard(
      database().db,
      storedCardRow(await newMerchant(database().db)),
    )
    expect(await storedCardExists(database().db, id)).toBe(true)
    expect(await storedCardExists(database().db, id + 1_000_000)).toBe(false)
  })
})
