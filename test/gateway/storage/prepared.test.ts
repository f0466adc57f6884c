import { expect, test } from 'vitest'
import { prepared, preparedInsert } from '../../../mock-gateway/storage/prepared.ts'
import { onEveryDatabase } from './databases.ts'
import { customerRow, newMerchant } from './new-rows.ts'

const insert = preparedInsert({
  build: (queries, rows: readonly ReturnType<typeof customerRow>[]) =>
    queries.insertInto('customers').values(rows as never),
  bind: (rows) => rows.flatMap(Object.values),
  shape: (rows) => String(rows.length),
})

onEveryDatabase((database) => {
  test('the ids of inserted rows are in the order of the rows, however many are inserted in one statement', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    for (const refs of [['a'], ['b', 'c', 'd'], ['e'], ['f', 'g', 'h']]) {
      const ids = await insert(
        db,
        refs.map((ref) => customerRow(merchantId, { ref })),
      )
      const kept = await db
        .selectFrom('customers')
        .select(['id', 'ref'])
        .where('merchant_id', '=', merchantId)
        .execute()
      expect(ids.map((id) => kept.find((row) => row.id === id)?.ref)).toEqual(refs)
    }
  })
})

const misbound = prepared({
  build: (queries, { id, ref }: { readonly id: number; readonly ref: string }) =>
    queries.selectFrom('customers').select('id').where('id', '=', id).where('ref', '=', ref),
  bind: ({ id, ref }) => [ref, id],
})

onEveryDatabase((database) => {
  test('a prepared query is rejected if its parameters have another order than in its SQL', async () => {
    await expect(misbound(database().db, { id: 1, ref: 'a' })).rejects.toThrow(
      'bind() does not state the parameters',
    )
  })
})
