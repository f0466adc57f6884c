import { removeCardNumbers } from '../../domain/card/numbers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { removeSecretsFromText } from '../../domain/secrets.ts'
import { findMovesSince } from '../../storage/clocks.ts'
import { byIds } from '../../storage/prepared.ts'
import { findRequests } from '../../storage/requests.ts'
import { findAll, findRow } from '../../storage/rows.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import { findAttempts } from '../../storage/webhook-attempts.ts'
import { withBodies } from '../../storage/webhook-deliveries.ts'
import { createStory, type Story, type StoryRows } from './story.ts'

/**
 * Maximum number of entries of each kind; a payment with more has a handler that runs in a loop.
 */
const MAX_ENTRIES = 200

/**
 * Reads the story of a merchant's payment. @returns undefined if the merchant has no payment with
 * this id
 */
export async function readStory(
  queries: Queries,
  merchant: Merchant,
  id: number | undefined,
): Promise<Story | undefined> {
  const row = await findRow(queries, 'transactions', merchant.id, id)
  if (!row) return undefined
  const rows = await loadStoryRows(queries, row)
  const card = await findRow(queries, 'stored_cards', merchant.id, row.stored_card_id ?? undefined)
  const { secret, previousSecret } = merchant
  return cleanStory(createStory(rows), [
    secret,
    previousSecret?.value,
    row.href_token,
    row.attempt,
    card?.token,
    ...rows.authentications.flatMap(({ token, key, nonce }) => [token, key, nonce]),
  ])
}

async function loadStoryRows(queries: Queries, row: TransactionRow): Promise<StoryRows> {
  const { merchant_id, id: transaction_id } = row
  const ofPayment = { merchantId: merchant_id, transactionId: transaction_id }
  const newest = { newestFirst: true, limit: MAX_ENTRIES }
  const deliveries = await withBodies(
    queries,
    await findAll(queries, 'webhook_deliveries', { merchant_id, transaction_id }, newest),
  )
  const ids = deliveries.map(({ id }) => id)
  return {
    record: await loadRecord(queries, row),
    requests: await findRequests(queries, ofPayment, MAX_ENTRIES),
    moves: await findMovesSince(queries, merchant_id, row.created_at, MAX_ENTRIES),
    authentications: await findAll(queries, 'authentications', { transaction_id }),
    deliveries,
    attempts: await findAttempts(queries, ids),
    mails: await byIds(ids, (delivery_id) => findAll(queries, 'mails', { delivery_id })),
    returnFailures: await findAll(queries, 'return_failures', { transaction_id }),
  }
}

/** Logins in addresses, such as `https://name:password@shop.example`. */
const LOGIN = /(\bhttps?:\/\/)[^\s/@"\\]+@/gi

/**
 * Prepares a story for other people, for example for a bug report: removes card numbers and
 * secrets.
 * @param secrets of the merchant, and tokens that open pages of this payment
 */
export function cleanStory(story: Story, secrets: readonly (string | null | undefined)[]): Story {
  const text = removeSecretsFromText(JSON.stringify(removeCardNumbers(story, true)), secrets)
  return JSON.parse(text.replace(LOGIN, '$1***@'))
}
