import { beforeAll, expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { DUE_KINDS, type DueScope, findDue } from '../../../mock-gateway/storage/due.ts'
import { insertMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { insertRows } from '../../../mock-gateway/storage/rows.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { merchantRow, newMerchant, transactionRow } from './new-rows.ts'

onEveryDatabase((database) => {
  const find = (search: Omit<Parameters<typeof findDue>[1], 'machineNow' | 'kinds'>) =>
    findDue(database().db, { ...search, machineNow: 0, kinds: DUE_KINDS })

  /** Payments that expire at 10, 20 and 30, of three merchants. */
  const payments: { readonly id: number; readonly merchant_id: number }[] = []
  beforeAll(async () => {
    const { db } = database()
    for (const id of [1, 2, 3]) await insertMerchant(db, merchantRow({ id }))
    for (const merchant of [1, 2, 3])
      for (const expires_at of [10, 20, 30]) {
        const row = transactionRow(merchant, { status: 'pending', expires_at })
        payments.push(await insertTransaction(db, row))
      }
  })

  test.each<[search: DueScope & { readonly without?: number[] }, first: number[]]>([
    [{ until: 9 }, []],
    [{ until: 10 }, [1, 10]],
    [{ until: 20, merchantId: 2 }, [2, 10]],
    [{ until: 30, except: [1, 2] }, [3, 10]],
    [{ until: 30, except: [1, 2], without: [6] }, [3, 20]],
    [{ until: 30, merchantId: 1, except: [], without: [0, 1] }, [1, 30]],
    [{ until: 20, merchantId: 1, without: [0, 1] }, []],
  ])('the first due item of %o is %o', async ({ without = [], ...scope }, first) => {
    const items = without.map(
      (place) => ({ kind: 'expiry', id: payments[place]?.id ?? 0 }) as const,
    )
    const [due] = await find({ ...scope, without: items })
    expect(due ? [due.merchantId, due.at] : []).toEqual(first)
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
    const due = await find({ until: 9, merchantId, without: [{ kind: 'capture', id: failed }] })
    expect(due).toEqual([{ kind: 'capture', id: second, merchantId, at: 3 }])
  })
})
