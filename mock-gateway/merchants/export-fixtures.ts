import { z } from 'zod'
import { formatAmount } from '../domain/money/money.ts'
import type { Database } from '../storage/database.ts'
import { allRows, type FixtureTable } from '../storage/fixtures.ts'
import { allMerchants } from '../storage/merchants.ts'
import { templatesOfMerchants } from '../storage/templates.ts'
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
  const merchants = (await allMerchants(db)).filter(
    ({ id }) => merchantId === undefined || id === merchantId,
  )
  const captures = await allRows(db, 'captures', merchantId)
  const refunds = await allRows(db, 'refunds', merchantId)
  const rows = {
    plans: await allRows(db, 'plans', merchantId),
    payment_links: await allRows(db, 'payment_links', merchantId),
    customers: await allRows(db, 'customers', merchantId),
    stored_cards: await allRows(db, 'stored_cards', merchantId),
    transactions: await allRows(db, 'transactions', merchantId),
  }
  const templates = await templatesOfMerchants(db, merchantId)
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
