import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { FLAG, tableCodec } from '../../../mock-gateway/storage/codec.ts'
import type { CustomerTable } from '../../../mock-gateway/storage/customers.ts'
import { findRow } from '../../../mock-gateway/storage/rows.ts'
import { insertStoredCard, type StoredCardTable } from '../../../mock-gateway/storage/stored-cards.ts'
import { insertTransaction, updateTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { newMerchant, storedCardRow, transactionRow } from './new-rows.ts'

test('a codec that forgets a column, or names one that is kept as it is, does not compile', () => {
  // @ts-expect-error recurring is a flag too
  tableCodec<StoredCardTable>({ test: FLAG })
  // @ts-expect-error ref is a text
  tableCodec<CustomerTable>({ ref: FLAG })
})

test('of a change only the columns it names are encoded', () => {
  const codec = tableCodec<StoredCardTable>({ test: FLAG, recurring: FLAG })
  expect(codec.encode({ status: 'cancelled', test: false })).toEqual({ status: 'cancelled', test: 0 })
})

onEveryDatabase((database) => {
  test.each([true, false])('flags that are %s are kept as numbers and come back as they were', async (flag) => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const flags = { test: flag, authorize: !flag, store_card: flag }
    const payment = await insertTransaction(db, transactionRow(merchantId, flags))
    const card = await insertStoredCard(db, storedCardRow(merchantId, { test: flag, recurring: !flag }))
    expect(await findRow(db, 'transactions', merchantId, payment.id)).toMatchObject(flags)
    expect(await findRow(db, 'stored_cards', merchantId, card.id)).toMatchObject({ test: flag, recurring: !flag })
    const { rows } = await sql`select test, authorize from transactions where id = ${payment.id}`.execute(db)
    expect(rows).toEqual([{ test: flag ? 1 : 0, authorize: flag ? 0 : 1 }])
    await updateTransaction(db, payment, { test: !flag })
    expect(await findRow(db, 'transactions', merchantId, payment.id)).toMatchObject({ ...flags, test: !flag })
  })
})
