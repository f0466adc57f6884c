import { expect, test } from 'vitest'
import { bindEach, prepared } from '../../../mock-gateway/storage/prepared.ts'
import { insertRows } from '../../../mock-gateway/storage/rows.ts'
import { onEveryDatabase } from './databases.ts'
import { customerRow, newMerchant } from './new-rows.ts'

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
