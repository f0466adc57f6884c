import { expect, test } from 'vitest'
import { findRow, findRows } from '../../../mock-gateway/storage/rows.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { newMerchant, transactionRow } from './new-rows.ts'

onEveryDatabase((database) => {
  test('rows are found by their ids, those of other merchants are not', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const mine = await insertTransaction(database().db, transactionRow(merchantId))
    const theirs = await insertTransaction(database().db, transactionRow(other))
    const found = await findRows(database().db, 'transactions', merchantId, [mine.id, theirs.id, 987_654_321])
    expect([...found]).toEqual([[mine.id, mine]])
    expect(await findRow(database().db, 'transactions', merchantId, theirs.id)).toBeUndefined()
    expect(await findRow(database().db, 'transactions', other, theirs.id)).toEqual(theirs)
  })

  test('no id finds no row', async () => {
    expect(await findRow(database().db, 'transactions', 1, undefined)).toBeUndefined()
    expect(await findRows(database().db, 'transactions', 1, [])).toEqual(new Map())
  })

  test('the largest id that can be asked for is only not found', async () => {
    expect(await findRow(database().db, 'transactions', 1, Number.MAX_SAFE_INTEGER)).toBeUndefined()
  })
})
