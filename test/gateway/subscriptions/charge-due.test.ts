import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MerchantSettings } from '../../../mock-gateway/domain/merchant.ts'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { listComingCharges } from '../../../mock-gateway/domain/subscription/dunning.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { findRow, insertRow } from '../../../mock-gateway/storage/rows.ts'
import {
  findFirstPayments,
  findNewestCharges,
} from '../../../mock-gateway/storage/subscriptions.ts'
import type { NewStoredCardRow } from '../../../mock-gateway/storage/tables/stored-cards.ts'
import type { NewSubscriptionRow } from '../../../mock-gateway/storage/tables/subscriptions.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { insertWebhooks } from '../../../mock-gateway/storage/webhooks.ts'
import { chargeDue } from '../../../mock-gateway/subscriptions/charge-due.ts'
import { openWork } from '../../../mock-gateway/work/work.ts'
import { useDatabase } from '../storage/databases.ts'
import {
  customerRow,
  DEFAULTS,
  NOW,
  newMerchant,
  newSubscription,
  storedCardRow,
  transactionRow,
} from '../storage/new-rows.ts'

const ORIGIN = 'http://localhost:4400'
const DAY = 86_400_000

/**
 * Creates a subscription of 99.00 kronor per month whose next period starts now, with a function
 * that charges it.
 */
async function due(
  { db, ...database }: Database,
  over: Partial<NewSubscriptionRow> = {},
  card: Partial<NewStoredCardRow> = {},
  settings: Partial<MerchantSettings> = {},
) {
  const merchantId = await newMerchant(db)
  const stored = await insertRow(db, 'stored_cards', storedCardRow(merchantId, card))
  const { id } = await newSubscription(db, merchantId, {
    price: hundredths(9900),
    quantity: 1,
    debt: hundredths(0),
    period_count: 0,
    period_index: 0,
    next_at: NOW,
    stored_card_id: stored.id,
    ...over,
  })
  const merchant = {
    id: merchantId,
    name: 'A shop',
    secret: 'a secret',
    settings: { ...DEFAULTS, ...settings },
  }
  const addresses = { base: ORIGIN, pay: ORIGIN, cdn: ORIGIN }
  const charge = async (now = NOW, until = now) => {
    const observer = { onDue: () => {} }
    const given = {
      merchant,
      actor: { by: 'gateway' as const },
      now,
      randomBytes,
      addresses,
      observer,
    }
    const done = await chargeDue(openWork({ db, ...database }, given), id, until)
    return done?.kind === 'charged' ? done : undefined
  }
  return {
    id,
    merchantId,
    charge,
    card: stored,
    read: () => findRow(db, 'subscriptions', merchantId, id),
  }
}

const database = useDatabase()
test('a due period is paid with a recurring transaction, and the next one is due a month later', async () => {
  const { id, charge, card, merchantId } = await due(database(), { metadata: { order: 7 } })
  const { transaction, subscription } = (await charge()) ?? {}
  expect(transaction).toMatchObject({
    merchant_id: merchantId,
    status: 'approved',
    amount: 9900,
    transaction_type: 'recurring',
    payment_method: 'recurring',
    card_type: 'stored_card',
    stored_card_id: card.id,
    subscription_id: id,
    metadata: { order: 7 },
    items: [
      {
        artno: `subscription${id}`,
        description: 'Monthly',
        amount: '99.00',
        qty: 1,
        vat: '0.00',
      },
    ],
    processed_at: NOW,
    created_at: NOW,
  })
  expect(transaction?.payment_ref).toMatch(new RegExp(`^sub${id.toString(36)}-[0-9a-z]{3}$`))
  expect(subscription).toMatchObject({
    period_count: 1,
    period_index: 1,
    next_at: Date.UTC(2026, 3, 14, 12),
  })
  expect((await findRow(database().db, 'stored_cards', merchantId, card.id))?.transaction_id).toBe(
    transaction?.id,
  )
})

test('price times quantity, items and debt add up to the amount, and the debt is paid once', async () => {
  const { charge } = await due(database(), {
    quantity: 3,
    items: [{ artno: 'tea', amount: '10.50', qty: 1 }],
    debt: hundredths(-1000),
  })
  const { transaction, subscription } = (await charge()) ?? {}
  expect(transaction?.amount).toBe(9900 * 3 + 1050 - 1000)
  expect(transaction?.items?.map(({ amount, qty }) => [amount, qty])).toEqual([
    ['297.00', 3],
    ['10.50', 1],
    ['-10.00', 1],
  ])
  expect(subscription?.debt).toBe(0)
})

test.each([
  ['0137', 'declined', 'errors.payment.declined'],
  ['0237', 'declined', 'errors.card.expired'],
  ['0226', 'failed', 'errors.card.expired'],
])(
  'a charge of a card with the expiry %s is %s, and is retried a day later',
  async (card_expiry, status, error_name) => {
    const { charge } = await due(database(), {}, { card_expiry })
    const { transaction, subscription } = (await charge()) ?? {}
    expect(transaction).toMatchObject({ status, error_name, transaction_type: 'recurring' })
    expect(subscription).toMatchObject({
      status: 'active',
      retry_count: 1,
      period_count: 0,
      period_index: 0,
      next_at: NOW + DAY,
    })
    const again = await charge(NOW + DAY)
    expect(again?.transaction?.payment_ref).toBe(transaction?.payment_ref)
    expect(again?.subscription).toMatchObject({ retry_count: 2, next_at: NOW + 4 * DAY })
  },
)

test('the announced charges are made, with the same dates, periods, attempts and amounts', async () => {
  const anchor = Date.UTC(2028, 0, 31)
  const { id, charge, read } = await due(database(), {
    anchor_at: anchor,
    next_at: anchor + DAY,
    attempts: 1,
    debt: hundredths(-12_000),
    total_periods: 5,
  })
  const row = await read()
  const coming = row ? listComingCharges(row, 12) : []
  expect(coming).toHaveLength(5)
  for (const { at } of coming) await charge(at)
  const made = (await findNewestCharges(database().db, id, 4)).map(
    ({ created_at, period_at, attempt, amount }) => ({
      at: created_at,
      period_at,
      attempt,
      amount,
    }),
  )
  expect(made.reverse()).toEqual(coming.slice(1))
  expect(await read()).toMatchObject({ status: 'cancelled' })
})

test('the first payment of a subscription is found without its charges', async () => {
  const { id, charge, merchantId } = await due(database())
  const { db } = database()
  const first = await insertTransaction(db, transactionRow(merchantId, { subscription_id: id }))
  await charge()
  expect(await findFirstPayments(db, id)).toEqual([first.id])
})

test('all missed periods are charged with their own dates, or only the latest if the merchant sets that', async () => {
  const until = Date.UTC(2026, 5, 1)
  const each = await due(database())
  expect((await each.charge(NOW, until))?.transaction?.created_at).toBe(NOW)
  const latest = await due(database(), {}, {}, { missed_periods: 'latest' })
  expect(await latest.charge(NOW, until)).toBeUndefined()
  expect(await latest.read()).toMatchObject({
    period_index: 2,
    period_count: 0,
    next_at: Date.UTC(2026, 4, 14, 12),
  })
  const charged = await latest.charge(Date.UTC(2026, 4, 14, 12), until)
  expect(charged?.subscription).toMatchObject({
    period_count: 1,
    next_at: Date.UTC(2026, 5, 14, 12),
  })
})

test('one of many parallel calls charges a due period', async () => {
  const { charge } = await due(database())
  const charged = await Promise.all(Array.from({ length: 10 }, () => charge()))
  expect(charged.filter(Boolean)).toHaveLength(1)
})

test('a charge adds a letter to a payment_ref that the merchant has used', async () => {
  const { charge, merchantId, id } = await due(database())
  const taken = `sub${id.toString(36)}-${Math.floor(NOW / DAY).toString(36)}`
  await insertTransaction(
    database().db,
    transactionRow(merchantId, { payment_ref: taken, status: 'approved' }),
  )
  expect((await charge())?.transaction?.payment_ref).toBe(`${taken}x`)
})

test('a charge of a subscription that began with a payment has its customer, and only its webhooks for charges', async () => {
  const { db } = database()
  const { charge, merchantId, id } = await due(database())
  const customer = await insertRow(db, 'customers', customerRow(merchantId, { ref: `c${id}` }))
  await db
    .updateTable('subscriptions')
    .set({ customer_id: customer.id })
    .where('id', '=', id)
    .execute()
  const first = await insertTransaction(db, transactionRow(merchantId, { subscription_id: id }))
  const webhook = {
    merchant_id: merchantId,
    transaction_id: first.id,
    type: 'CustomHttp',
    url: 'http://shop.test/hook',
    http_method: 'post',
    data_format: 'json',
    email: null,
    response: { code: 200, body: '', message: 'OK', headers: {}, error: null },
    request_body: 'the first one',
    delivery_id: null,
    created_at: NOW,
  } as const
  const triggers = ['payment_success', 'recurring_success', 'refund', 'payment']
  await insertWebhooks(
    db,
    triggers.map((trigger) => ({ ...webhook, trigger })),
  )
  const { transaction } = (await charge()) ?? {}
  expect(transaction).toMatchObject({ customer_id: customer.id, customer_ref: `c${id}` })
  const copies = await db
    .selectFrom('webhooks')
    .select(['trigger', 'url', 'response', 'request_body'])
    .where('transaction_id', '=', transaction?.id ?? 0)
    .orderBy('id')
    .execute()
  const copy = { url: webhook.url, response: null, request_body: null }
  expect(copies).toEqual([{ ...copy, trigger: 'recurring_success' }])
})
