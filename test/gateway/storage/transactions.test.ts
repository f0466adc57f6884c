import { describe, expect, test } from 'vitest'
import type { TransactionStatus } from '../../../mock-gateway/contract/wire.ts'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { STATES } from '../../../mock-gateway/domain/order/states.ts'
import { findOrCreateCustomer } from '../../../mock-gateway/storage/customers.ts'
import { isUniqueViolation } from '../../../mock-gateway/storage/database.ts'
import { findOne, findRow, insertRow, updateRow } from '../../../mock-gateway/storage/rows.ts'
import {
  findClaim,
  findTransactionByHrefToken,
  insertTransaction,
  updateTransaction,
} from '../../../mock-gateway/storage/transactions.ts'
import { onEveryDatabase } from './databases.ts'
import { customerRow, NOW, newMerchant, storedCardRow, transactionRow } from './new-rows.ts'

const STATUSES = Object.keys(STATES) as TransactionStatus[]

onEveryDatabase((database) => {
  test('a transaction is read back unchanged', async () => {
    const merchantId = await newMerchant(database().db)
    const amount = hundredths(Number.MAX_SAFE_INTEGER)
    const over = {
      amount,
      card_holder: "Å 'O' \\ % _ ☕ 😀",
      metadata: { ä: 1 },
      payment_ref: 'größe"1',
    }
    const written = await insertTransaction(database().db, transactionRow(merchantId, over))
    expect(written).toMatchObject({ ...over, version: 1 })
    expect(await findRow(database().db, 'transactions', merchantId, written.id)).toEqual(written)
  })

  test('a transaction is found by the token of its page, case-sensitively', async () => {
    const merchantId = await newMerchant(database().db)
    const href_token = 'aBcDeF-token-of-a-page'
    const row = await insertTransaction(database().db, transactionRow(merchantId, { href_token }))
    expect(await findTransactionByHrefToken(database().db, href_token)).toEqual(row)
    for (const other of [href_token.toLowerCase(), `${href_token}\0`, undefined])
      expect(await findTransactionByHrefToken(database().db, other)).toBeUndefined()
    await database().write((queries) =>
      updateTransaction(queries, row, { href_token: `used-${row.id}` }),
    )
  })

  test('a transaction is found by its attempt, by its own merchant only', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const row = await insertTransaction(
      database().db,
      transactionRow(merchantId, { attempt: 'attempt-1' }),
    )
    expect(
      await findOne(database().db, 'transactions', {
        merchant_id: merchantId,
        attempt: 'attempt-1',
      }),
    ).toEqual(row)
    expect(
      await findOne(database().db, 'transactions', { merchant_id: other, attempt: 'attempt-1' }),
    ).toBeUndefined()
  })

  test.each(['href_token', 'attempt'] as const)(
    'no two transactions of a merchant have one %s',
    async (column) => {
      const merchantId = await newMerchant(database().db)
      const same = { [column]: `same ${column} of ${merchantId}` }
      await insertTransaction(database().db, transactionRow(merchantId, same))
      const again = insertTransaction(database().db, transactionRow(merchantId, same))
      await expect(again).rejects.toSatisfy(isUniqueViolation)
    },
  )

  describe('another transaction with the payment_ref', () => {
    test.each(STATUSES.map((status) => [status, !STATES[status].claimsPaymentRef] as const))(
      'can be paid if the first is %s: %s',
      async (status, free) => {
        const merchantId = await newMerchant(database().db)
        await insertTransaction(
          database().db,
          transactionRow(merchantId, { status, payment_ref: 'order' }),
        )
        const next = insertTransaction(
          database().db,
          transactionRow(merchantId, { payment_ref: 'order' }),
        )
        await (free ? next : expect(next).rejects.toSatisfy(isUniqueViolation))
        expect(await findClaim(database().db, merchantId, 'order')).toBeDefined()
      },
    )

    test.each(STATUSES)('can exist, whatever the status of the first: %s', async (status) => {
      const merchantId = await newMerchant(database().db)
      const first = await insertTransaction(
        database().db,
        transactionRow(merchantId, { status, payment_ref: 'order' }),
      )
      for (const unpaid of ['pending', 'declined', 'failed'] as const)
        await insertTransaction(
          database().db,
          transactionRow(merchantId, { status: unpaid, payment_ref: 'order' }),
        )
      const { claimsPaymentRef } = STATES[status]
      expect(await findClaim(database().db, merchantId, 'order')).toEqual(
        claimsPaymentRef ? { id: first.id, status } : undefined,
      )
      expect(await findClaim(database().db, merchantId, 'order', first.id)).toBeUndefined()
      expect(await findClaim(database().db, merchantId, 'other order')).toBeUndefined()
    })

    test('can be paid if the first is declined, and the first cannot be paid after that', async () => {
      const merchantId = await newMerchant(database().db)
      const order = { payment_ref: 'order', status: 'declined' } as const
      const first = await insertTransaction(database().db, transactionRow(merchantId, order))
      await insertTransaction(database().db, transactionRow(merchantId, { payment_ref: 'order' }))
      const again = updateTransaction(database().db, first, { status: 'approved' })
      await expect(again).rejects.toSatisfy(isUniqueViolation)
    })

    test('can be paid by another merchant', async () => {
      for (const merchantId of [await newMerchant(database().db), await newMerchant(database().db)])
        await insertTransaction(database().db, transactionRow(merchantId, { payment_ref: 'order' }))
    })
  })

  test('an update raises the version and changes the named columns', async () => {
    const merchantId = await newMerchant(database().db)
    const read = await insertTransaction(
      database().db,
      transactionRow(merchantId, { status: 'pending' }),
    )
    const changed = await updateTransaction(database().db, read, {
      status: 'failed',
      updated_at: NOW + 1,
    })
    expect(changed).toEqual({ ...read, status: 'failed', updated_at: NOW + 1, version: 2 })
    expect(await findRow(database().db, 'transactions', merchantId, read.id)).toEqual(changed)
  })

  test('an impossible change of status is rejected as a mistake, and changes nothing', async () => {
    const merchantId = await newMerchant(database().db)
    const read = await insertTransaction(database().db, transactionRow(merchantId))
    await expect(updateTransaction(database().db, read, { status: 'pending' })).rejects.toThrow(
      TypeError,
    )
    expect(await findRow(database().db, 'transactions', merchantId, read.id)).toEqual(read)
  })

  test('an update of a row that was changed meanwhile changes nothing', async () => {
    const merchantId = await newMerchant(database().db)
    const read = await insertTransaction(database().db, transactionRow(merchantId))
    const changed = await updateTransaction(database().db, read, { amount: hundredths(1) })
    expect(await updateTransaction(database().db, read, { amount: hundredths(2) })).toBeUndefined()
    expect(await findRow(database().db, 'transactions', merchantId, read.id)).toEqual(changed)
  })
})

onEveryDatabase((database) => {
  test('a stored card is found by its token, by its own merchant only', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const row = storedCardRow(merchantId)
    const stored = await insertRow(database().db, 'stored_cards', row)
    expect(stored).toEqual({ ...row, id: stored.id })
    expect(
      await findOne(database().db, 'stored_cards', { merchant_id: merchantId, token: row.token }),
    ).toEqual(stored)
    expect(
      await findOne(database().db, 'stored_cards', { merchant_id: other, token: row.token }),
    ).toBeUndefined()
    expect(
      await findOne(database().db, 'stored_cards', {
        merchant_id: merchantId,
        token: row.token.toUpperCase(),
      }),
    ).toBeUndefined()
  })

  test('no two cards have one token, whatever the merchant', async () => {
    const [merchantId, other] = [await newMerchant(database().db), await newMerchant(database().db)]
    const { token } = await insertRow(database().db, 'stored_cards', storedCardRow(merchantId))
    await expect(
      insertRow(database().db, 'stored_cards', storedCardRow(other, { token })),
    ).rejects.toSatisfy(isUniqueViolation)
  })
})

const refusal = (work: Promise<unknown>) => work.then(() => undefined, isUniqueViolation)

onEveryDatabase((database) => {
  test('an unknown customer_ref creates a customer, a known one finds it', async () => {
    const merchantId = await newMerchant(database().db)
    const made = await findOrCreateCustomer(database().db, merchantId, 'anna', NOW)
    expect(made).toEqual({ id: made.id, ...customerRow(merchantId, { ref: 'anna' }) })
    expect(await findOrCreateCustomer(database().db, merchantId, 'anna', NOW + 1)).toEqual(made)
  })

  test('40 parallel requests for a new customer all get the same one', async () => {
    const merchantId = await newMerchant(database().db)
    const wanted = Array.from({ length: 40 }, () =>
      database().write((queries) => findOrCreateCustomer(queries, merchantId, 'wanted', NOW)),
    )
    expect(new Set((await Promise.all(wanted)).map(({ id }) => id)).size).toBe(1)
  })

  test('a ref of another customer is rejected, when inserting and when changing', async () => {
    const merchantId = await newMerchant(database().db)
    const other = await insertRow(database().db, 'customers', customerRow(merchantId))
    await insertRow(database().db, 'customers', customerRow(merchantId, { ref: 'taken' }))
    expect(
      await refusal(
        insertRow(database().db, 'customers', customerRow(merchantId, { ref: 'taken' })),
      ),
    ).toBe(true)
    expect(await refusal(updateRow(database().db, 'customers', other.id, { ref: 'taken' }))).toBe(
      true,
    )
  })
})
