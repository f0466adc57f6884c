import { expect, test } from 'vitest'
import {
  compare,
  countRows,
  deleteRows,
  findAll,
  findRow,
  findRows,
  insertRow,
  updateRow,
  updateRows,
  type Where,
} from '../../../mock-gateway/storage/rows.ts'
import { loadRecords } from '../../../mock-gateway/storage/transaction-parts.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { customerRow, newMerchant, transactionRow } from './new-rows.ts'

onEveryDatabase((database) => {
  test('rows are found by their ids, and rows of other merchants are not', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const mine = await insertTransaction(database().db, transactionRow(merchantId))
    const theirs = await insertTransaction(database().db, transactionRow(other))
    const found = await findRows(database().db, 'transactions', merchantId, [
      mine.id,
      theirs.id,
      987_654_321,
    ])
    expect([...found]).toEqual([[mine.id, mine]])
    expect(await findRow(database().db, 'transactions', merchantId, theirs.id)).toBeUndefined()
    expect(await findRow(database().db, 'transactions', other, theirs.id)).toEqual(theirs)
  })

  test('rows and their parts are found by more ids than a query can have values', async () => {
    const merchantId = await newMerchant(database().db)
    const row = await insertTransaction(database().db, transactionRow(merchantId))
    const ids = Array.from({ length: 66_000 }, (_, index) => row.id + index)
    expect([...(await findRows(database().db, 'transactions', merchantId, ids))]).toEqual([
      [row.id, row],
    ])
    const records = await loadRecords(
      database().db,
      ids.map((id) => ({ ...row, id })),
    )
    expect(records).toHaveLength(66_000)
  })

  test('rows are found, changed and deleted by values, lists, null and comparisons', async () => {
    const { db } = database()
    const merchant_id = await newMerchant(db)
    const anna = await insertRow(db, 'customers', { ...customerRow(merchant_id), ref: 'anna' })
    const nobody = await insertRow(db, 'customers', { ...customerRow(merchant_id), ref: null })
    const find = (where: Where<'customers'>, range = {}) =>
      findAll(db, 'customers', { merchant_id, ...where }, range)
    expect(await find({ ref: undefined })).toEqual([anna, nobody])
    expect(await find({}, { newestFirst: true, limit: 1, offset: 1 })).toEqual([anna])
    expect(await find({ ref: null })).toEqual([nobody])
    expect(await countRows(db, 'customers', { merchant_id })).toBe(2)
    expect(await countRows(db, 'customers', { merchant_id }, 1)).toBe(1)
    expect(await find({ ref: ['anna', 'bo'] })).toEqual([anna])
    expect(await find({ ref: [] })).toEqual([])
    expect(await find({ id: compare('>', anna.id) })).toEqual([nobody])
    expect(await countRows(db, 'customers', { merchant_id })).toBe(2)
    expect(await countRows(db, 'customers', { merchant_id }, 1)).toBe(1)
    const [changed] = await updateRows(db, 'customers', { merchant_id, ref: null }, { ref: 'bo' })
    expect(changed).toEqual({ ...nobody, ref: 'bo' })
    expect(await deleteRows(db, 'customers', { id: nobody.id })).toEqual([changed])
    expect(await find({})).toEqual([anna])
    await expect(updateRow(db, 'customers', nobody.id, { ref: 'bo' })).rejects.toThrow(TypeError)
  })
})
