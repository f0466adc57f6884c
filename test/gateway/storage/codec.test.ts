import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../mock-gateway/domain/json.ts'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { insertLogEvents } from '../../../mock-gateway/storage/log-events.ts'
import { findRow, insertRow, updateRow } from '../../../mock-gateway/storage/rows.ts'
import { FLAG, JSON_TEXT, tableCodec } from '../../../mock-gateway/storage/tables/codec.ts'
import type { CustomerTable } from '../../../mock-gateway/storage/tables/customers.ts'
import type { StoredCardTable } from '../../../mock-gateway/storage/tables/stored-cards.ts'
import { loadRecord } from '../../../mock-gateway/storage/transaction-parts.ts'
import { insertTransaction, updateTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { insertWebhooks } from '../../../mock-gateway/storage/webhooks.ts'
import { onEveryDatabase } from './databases.ts'
import {
  customerRow,
  NOW,
  newMerchant,
  newSubscription,
  planRow,
  storedCardRow,
  transactionRow,
  webhookRow,
} from './new-rows.ts'

test('a codec that lacks a column, or has a column without need, does not compile', () => {
  // @ts-expect-error recurring is a flag, too
  tableCodec<StoredCardTable>({ test: FLAG })
  // @ts-expect-error ref is a text
  tableCodec<CustomerTable>({ metadata: JSON_TEXT, ref: JSON_TEXT })
  // @ts-expect-error metadata is not a flag
  tableCodec<CustomerTable>({ metadata: FLAG })
})

test('numbers in JSON keep their digits, unlike in JavaScript', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 })
  const whole = fc.oneof(
    fc.constant('0'),
    digits.map((text) => text.replace(/^0*/, '')).filter(Boolean),
  )
  const parts = fc.tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits),
    fc.constantFrom('', 'e', 'E-', 'e+'),
    digits,
  )
  const number = parts.map(([sign, int, fraction, e, power]) =>
    [sign, int, fraction === null ? '' : `.${fraction}`, e === '' ? '' : e + power].join(''),
  )
  fc.assert(
    fc.property(number, number, (one, other) => {
      for (const kept of [`{"a":${one},"b":["1e3",${other}]}`, `[${one}]`])
        expect(JSON_TEXT.encode(JSON_TEXT.decode(kept))).toBe(kept)
    }),
    { numRuns: 2000 },
  )
})

onEveryDatabase((database) => {
  test.each([true, false])(
    'boolean columns with the value %s are stored as numbers and read back unchanged',
    async (flag) => {
      const { db } = database()
      const merchantId = await newMerchant(db)
      const flags = { test: flag, authorize: !flag, store_card: flag }
      const payment = await insertTransaction(db, transactionRow(merchantId, flags))
      const card = await insertRow(
        db,
        'stored_cards',
        storedCardRow(merchantId, { test: flag, recurring: !flag }),
      )
      expect(await findRow(db, 'transactions', merchantId, payment.id)).toMatchObject(flags)
      expect(await findRow(db, 'stored_cards', merchantId, card.id)).toMatchObject({
        test: flag,
        recurring: !flag,
      })
      const { rows } =
        await sql`select test, authorize from transactions where id = ${payment.id}`.execute(db)
      expect(rows).toEqual([{ test: flag ? 1 : 0, authorize: flag ? 0 : 1 }])
      await updateTransaction(db, payment, { test: !flag })
      expect(await findRow(db, 'transactions', merchantId, payment.id)).toMatchObject({
        ...flags,
        test: !flag,
      })
    },
  )

  test('JSON of any shape is stored as text and read back unchanged, with its keys in order', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const anyObject = fc
      .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
      .map((made) => made as JsonObject)
    await fc.assert(
      fc.asyncProperty(anyObject, anyObject, async (metadata, changed) => {
        const customer = await insertRow(db, 'customers', customerRow(merchantId, { metadata }))
        const read = await findRow(db, 'customers', merchantId, customer.id)
        expect(JSON.stringify(read?.metadata)).toBe(JSON.stringify(metadata))
        const { metadata: after } = await updateRow(db, 'customers', customer.id, {
          metadata: changed,
        })
        expect(JSON.stringify(after)).toBe(JSON.stringify(changed))
      }),
      { numRuns: 50 },
    )
  })

  test('every encoded column is read back unchanged, with a value and without', async () => {
    const { db } = database()
    const merchantId = await newMerchant(db)
    const items = [{ artno: 'A', qty: 1, more: { b: [1, null], a: 'å' } }]
    const facts = { b: 1, a: { deep: [true, null, 'å'] } }
    const full = {
      metadata: facts,
      items,
      payment_details: { first_name: 'Åsa' },
      payment_request: facts,
    }
    const more = { payment_response: { result: 'approved' }, subscription_items: items }
    const response = { code: 200, body: 'å', message: null, headers: { a: 'b' }, error: null }
    const client = { user_agent: 'a', ip: '::1', accept_language: 'sv' }
    const payments = [
      transactionRow(merchantId),
      transactionRow(merchantId, { ...full, ...more, client }),
    ]
    for (const row of payments) {
      const written = await insertTransaction(db, row)
      expect(written).toMatchObject(row)
      expect(await findRow(db, 'transactions', merchantId, written.id)).toEqual(written)
      const part = { transaction_id: written.id, created_at: NOW }
      const [logged] = await insertLogEvents(db, [{ ...part, event_type: 'payment', data: facts }])
      expect(logged).toMatchObject({ ...part, data: facts })
      const hook = webhookRow({ ...part, merchant_id: merchantId }, { response })
      expect(await insertWebhooks(db, [hook, { ...hook, response: null }])).toMatchObject([
        hook,
        { response: null },
      ])
      const { parts } = await loadRecord(db, written)
      expect(parts).toMatchObject({
        logEvents: [logged],
        webhooks: [{ response }, { response: null }],
      })
    }
    const prices = {
      prices: { sek: hundredths(1), eur: hundredths(250) },
      setup_fees: { eur: hundredths(0) },
    }
    expect(await insertRow(db, 'plans', planRow(merchantId, prices))).toMatchObject(prices)
    for (const over of [
      { items, metadata: facts, test: true },
      { items: [], metadata: null, test: false },
    ])
      expect(await newSubscription(db, merchantId, over)).toMatchObject(over)
  })
})
