import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import {
  countNewestDeliveries,
  countNewestPayments,
  countProblems,
} from '../../../mock-gateway/storage/overview.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import { findSums, findSumsOfCustomers } from '../../../mock-gateway/storage/sums.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { NOW, newMerchant, newSubscription, transactionRow } from './new-rows.ts'

const DAY = 24 * 3_600_000

onEveryDatabase((database) => {
  test('payments are counted by status and day', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    for (const created_at of [NOW - DAY, NOW, NOW + 1])
      await insertTransaction(db, transactionRow(merchantId, { created_at }))
    await insertTransaction(db, transactionRow(merchantId, { status: 'declined' }))
    const counts = await countNewestPayments(db, merchantId, DAY)
    const today = Math.floor(NOW / DAY)
    expect(counts).toHaveLength(3)
    expect(counts).toEqual(
      expect.arrayContaining([
        { status: 'approved', period: today - 1, count: 1, oldest: NOW - DAY },
        { status: 'approved', period: today, count: 2, oldest: NOW },
        { status: 'declined', period: today, count: 1, oldest: NOW },
      ]),
    )
  })

  test('payments are added up by customer and currency, without refunds', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const add = (over: object) =>
      insertTransaction(db, transactionRow(merchantId, { customer_id: 7, ...over }))
    const { id } = await add({ amount: hundredths(1000) })
    await add({ currency: 'eur', amount: hundredths(300) })
    const { id: newest } = await add({ status: 'declined', currency: 'usd' })
    await add({ customer_id: 8 })
    const refund = { merchant_id: merchantId, transaction_id: id, created_at: NOW }
    await insertRow(db, 'refunds', { ...refund, amount: hundredths(250), reason: 'a reason' })
    const paid = new Map([
      ['eur', 300],
      ['sek', 750],
    ])
    expect(await findSumsOfCustomers(db, merchantId, [7, 9])).toEqual(
      new Map([[7, { payments: 3, newest, paid }]]),
    )
  })

  test('money is added up in one currency, captured and refunded', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const period = { from: NOW, to: NOW + 1 }
    const nothing = { captured: 0, refunded: 0 }
    expect(await findSums(db, merchantId, 'sek', period)).toEqual(nothing)
    const { id } = await insertTransaction(db, transactionRow(merchantId))
    await insertTransaction(db, transactionRow(merchantId, { currency: 'eur' }))
    await insertTransaction(db, transactionRow(merchantId, { processed_at: NOW + 1 }))
    const part = { merchant_id: merchantId, transaction_id: id, created_at: NOW }
    await insertRow(db, 'refunds', { ...part, amount: hundredths(250), reason: 'a reason' })
    const sums = await findSums(db, merchantId, 'sek', period)
    expect(sums).toEqual({ captured: 1000, refunded: 250 })
  })

  test('unpaid subscriptions are problems', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    await newSubscription(db, merchantId, { retry_count: 2 })
    await newSubscription(db, merchantId)
    const problems = { subscriptions: 1, requests: 0, webhooks: 0 }
    expect(await countProblems(db, merchantId, ['errors.payment.declined'])).toEqual(problems)
  })

  test('without deliveries, every number is 0', async () => {
    const { db } = database()
    const none = { delivered: 0, attempted: 0 }
    expect(await countNewestDeliveries(db, await newMerchant(db), NOW)).toEqual(none)
  })
})
