import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockingMovers } from '../../../mock-gateway/storage/movers.ts'
import { createNegativeCache } from '../../../mock-gateway/storage/negative-cache.ts'
import { bindEach, prepared } from '../../../mock-gateway/storage/prepared.ts'
import {
  compare,
  countRows,
  deleteRows,
  findAll,
  findRow,
  findRows,
  insertRow,
  insertRows,
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

const findRefs = prepared(
  (bind, queries, { refs }: { readonly merchantId: number; readonly refs: readonly string[] }) =>
    queries
      .selectFrom('customers')
      .select(['id', 'ref'])
      .where(
        'ref',
        'in',
        bindEach(bind, refs, (of) => of.refs),
      )
      .where('merchant_id', '=', bind('merchantId'))
      .orderBy('id'),
  ({ refs }) => String(refs.length),
)

onEveryDatabase((database) => {
  test('the ids of inserted rows are in the order of the rows, and each run of a query has its own values', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    for (const refs of [['a'], ['b', 'c', 'd'], ['e'], ['f', 'g', 'h']]) {
      const rows = refs.map((ref) => customerRow(merchantId, { ref }))
      const ids = await insertRows(db, 'customers', rows)
      const kept = await findRefs(db, { merchantId, refs })
      expect(kept).toEqual(refs.map((ref, place) => ({ id: ids[place], ref })))
    }
  })
})

test('an empty list is queried once, and again after a row or a restore', async () => {
  let restores = 0
  let queries = 0
  let rows: readonly string[] = []
  const cache = createNegativeCache({ count: () => restores, add: () => {} })
  const find = () =>
    cache.find(async () => {
      queries += 1
      return rows
    })
  await find()
  await find()
  expect(queries).toBe(1)
  cache.added()
  await find()
  expect(queries).toBe(2)
  restores += 1
  rows = ['restored']
  expect([await find(), await find()]).toEqual([rows, rows])
  rows = []
  await find()
  await find()
  expect(queries).toBe(5)
})

test('processes that move the clock of one data file see each other until the last one ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-movers-'))
  const [one, other] = ['gateway.db', 'gateway.db'].map((name) => lockingMovers(join(folder, name)))
  expect(one?.mayLive()).toBe(false)
  const leaving = [one?.join(), other?.join()]
  leaving[0]?.()
  expect([one?.mayLive(), other?.mayLive()]).toEqual([true, true])
  leaving[1]?.()
  expect([one?.mayLive(), other?.mayLive()]).toEqual([false, false])
  await rm(folder, { recursive: true })
  expect(() => one?.join()).toThrow('cannot be opened')
  expect(() => one?.mayLive()).toThrow('cannot be opened')
})
