import { z } from 'zod'
import { formatAmount } from '../domain/money/money.ts'
import type { Database } from '../storage/database.ts'
import type { FixtureTable } from '../storage/fixtures.ts'
import { findAllMerchants } from '../storage/merchants.ts'
import { findAll } from '../storage/rows.ts'
import { findTemplatesOfMerchants } from '../storage/templates.ts'
import { fixtures } from './fixtures.ts'
import { TABLES } from './load-fixtures.ts'

/**
 * Exports data for `loadFixtures`, of all merchants or one; without passwords, secrets,
 * subscriptions and logs.
 */
export async function exportFixtures(
  { db }: Database,
  merchantId?: number,
): Promise<z.input<typeof fixtures>> {
  const merchants = (await findAllMerchants(db)).filter(
    ({ id }) => merchantId === undefined || id === merchantId,
  )
  const captures = await findAll(db, 'captures', { merchant_id: merchantId })
  const refunds = await findAll(db, 'refunds', { merchant_id: merchantId })
  const rows = {
    plans: await findAll(db, 'plans', { merchant_id: merchantId }),
    payment_links: await findAll(db, 'payment_links', { merchant_id: merchantId }),
    customers: await findAll(db, 'customers', { merchant_id: merchantId }),
    stored_cards: await findAll(db, 'stored_cards', { merchant_id: merchantId }),
    transactions: await findAll(db, 'transactions', { merchant_id: merchantId }),
  }
  const templates = await findTemplatesOfMerchants(db, merchantId)
  const ids = Object.fromEntries(
    TABLES.map((table) => [table, new Set(rows[table].map(({ id }) => id))]),
  )
  const there = (table: FixtureTable, id: number | null) =>
    id !== null && ids[table]?.has(id) ? id : null
  return z.encode(fixtures, {
    merchants: merchants.map(({ id, name, settings }) => ({ id, name, settings })),
    templates: templates.map(({ prepared: _prepared, ...template }) => template),
    plans: rows.plans,
    payment_links: rows.payment_links,
    customers: rows.customers,
    stored_cards: rows.stored_cards.map(({ expires: _expires, ...card }) => ({
      ...card,
      customer_id: there('customers', card.customer_id),
      transaction_id: there('transactions', card.transaction_id),
    })),
    transactions: rows.transactions.map(
      ({ version: _version, subscription_id: _subscription, amount_text, ...row }) => ({
        ...row,
        amount: row.amount === null ? amount_text : formatAmount(row.amount),
        customer_id: there('customers', row.customer_id),
        stored_card_id: there('stored_cards', row.stored_card_id),
        plan_id: there('plans', row.plan_id),
        captures: captures
          .filter((of) => of.transaction_id === row.id)
          .map(({ amount, created_at }) => ({ amount, created_at })),
        refunds: refunds
          .filter((of) => of.transaction_id === row.id)
          .map(({ amount, reason, ref, created_at }) => ({ amount, reason, ref, created_at })),
      }),
    ),
  })
}
