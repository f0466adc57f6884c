import { beforeAll, expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import {
  type DueScope,
  describeDueShape,
  findAnsweredCaptures,
  isDue,
} from '../../../mock-gateway/storage/due.ts'
import { insertMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { type Bind, prepared } from '../../../mock-gateway/storage/prepared.ts'
import { insertRows } from '../../../mock-gateway/storage/rows.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { merchantRow, newMerchant, transactionRow } from './new-rows.ts'

const findRefs = prepared(
  (bind: Bind<DueScope>, queries, scope: DueScope) =>
    queries
      .selectFrom('customers')
      .select('ref')
      .where(isDue(bind, scope, { at: 'created_at' }))
      .orderBy('ref'),
  describeDueShape,
)

onEveryDatabase((database) => {
  beforeAll(async () => {
    const { db } = database()
    for (const id of [1, 2, 3]) await insertMerchant(db, merchantRow({ id }))
    for (const at of [10, 20, 30])
      for (const merchant_id of [1, 2, 3])
        await db
          .insertInto('customers')
          .values({
            merchant_id,
            ref: `${merchant_id}-${at}`,
            metadata: null,
            created_at: at,
            updated_at: 0,
          })
          .execute()
  })

  test.each([
    [{ until: 9 }, []],
    [{ until: 10 }, ['1-10', '2-10', '3-10']],
    [{ until: 20, merchantId: 2 }, ['2-10', '2-20']],
    [{ until: 20, except: [1, 3] }, ['2-10', '2-20']],
    [{ until: 20, except: [2], without: [1, 4] }, ['3-10', '3-20']],
    [{ until: 30, merchantId: 1, except: [], without: [1] }, ['1-20', '1-30']],
  ] satisfies [DueScope, string[]][])('the due items of %o are %o', async (scope, refs) => {
    const rows = await findRefs(database().db, scope)
    expect(rows.map(({ ref }) => ref)).toEqual(refs)
  })

  test('a failed capture is skipped by the id of its transaction, not by the id of its row', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const payments = []
    for (const answer_at of [1, 2, 3]) {
      const { id } = await insertTransaction(db, transactionRow(merchantId))
      const capture = {
        transaction_id: id,
        merchant_id: merchantId,
        amount: hundredths(1),
        outcome: 'approved',
      } as const
      // The first payment has no pending capture, so that the ids of captures and transactions
      // differ.
      if (answer_at > 1) await insertRows(db, 'pending_captures', [{ ...capture, answer_at }])
      payments.push(id)
    }
    const [, failed = 0, second] = payments
    const due = await findAnsweredCaptures(db, { until: 9, merchantId, without: [failed] }, 9)
    expect(due).toEqual([{ id: second, merchantId, at: 3 }])
  })
})
