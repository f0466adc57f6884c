import type { Response } from 'express'
import type { Refund } from '../../contract/refund.ts'
import type { StoredCard } from '../../contract/stored-card.ts'
import type { Subscription } from '../../contract/subscription.ts'
import type { Transaction } from '../../contract/transaction.ts'
import type { Payments } from '../../payments/payments.ts'
import type { References } from '../../presentation/references.ts'
import { presentStoredCard } from '../../presentation/stored-card.ts'
import { presentSubscription } from '../../presentation/subscription.ts'
import { type Presenting, presentTransaction } from '../../presentation/transaction.ts'
import { presentRefund } from '../../presentation/transaction-parts.ts'
import type { StoredCardRow } from '../../storage/stored-cards.ts'
import type { SubscriptionRow } from '../../storage/subscriptions.ts'
import type { RefundRow, TransactionRecord } from '../../storage/transaction-parts.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { loadCardTransactions } from './card-transactions.ts'
import { loadReferences, readExtend } from './extend.ts'

/** Rows as this request is to see them: in its language, extended as it asked. */
export async function presentTransactions(
  response: Response,
  payments: Payments,
  records: readonly TransactionRecord[],
): Promise<Transaction[]> {
  const { presenting, references } = await prepare(
    response,
    payments,
    records.map(({ row }) => row),
  )
  return records.map((record) => presentTransaction(record, presenting, references))
}

/** As `presentTransactions`; each card brings the JSON text of the transaction that used it last. */
export async function presentStoredCards(
  response: Response,
  payments: Payments,
  rows: readonly StoredCardRow[],
): Promise<StoredCard[]> {
  const { presenting, references } = await prepare(response, payments, rows)
  const transactionOf = await loadCardTransactions(payments.database.db, presenting, rows)
  return rows.map((row) => presentStoredCard(row, references, transactionOf(row)))
}

/** As `presentTransactions`. */
export async function presentRefunds(
  response: Response,
  payments: Payments,
  rows: readonly RefundRow[],
): Promise<Refund[]> {
  const { references } = await prepare(response, payments, rows)
  return rows.map((row) => presentRefund(row, references))
}

/** As `presentTransactions`. */
export async function presentSubscriptions(
  response: Response,
  payments: Payments,
  rows: readonly SubscriptionRow[],
): Promise<Subscription[]> {
  const { references } = await prepare(response, payments, rows)
  return rows.map((row) => presentSubscription(row, references))
}

async function prepare(
  response: Response,
  { addresses, database }: Payments,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<{ presenting: Presenting; references: References }> {
  const { locale, parameters, loggedIn } = exchangeOf(response)
  const presenting = { merchant: merchantOf(response), addresses, locale }
  const extend = readExtend(parameters)
  // A payer may see the card that has just been typed (observed: 6.8), not what the merchant keeps about customers.
  const shown = loggedIn ? extend : new Set([...extend].filter((name) => name === 'stored_card'))
  return { presenting, references: await loadReferences(database.db, presenting, rows, shown) }
}
