import { withoutCardNumbers } from '../../domain/card/numbers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import { movesSince } from '../../storage/clocks.ts'
import { byIds } from '../../storage/prepared.ts'
import { findRequests } from '../../storage/requests.ts'
import { findAll, findRow } from '../../storage/rows.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import { findAttempts } from '../../storage/webhook-attempts.ts'
import { withBodies } from '../../storage/webhook-deliveries.ts'
import { createStory, type Story } from './story.ts'

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
  const record = await loadRecord(queries, row)
  const requests = await findRequests(
    queries,
    { merchantId: merchant.id, transactionId: row.id },
    MAX_ENTRIES,
  )
  const moves = await movesSince(queries, merchant.id, row.created_at, MAX_ENTRIES)
  const authentications = await findAll(queries, 'authentications', { transaction_id: row.id })
  const sent = { merchant_id: merchant.id, transaction_id: row.id }
  const newest = { newestFirst: true, limit: MAX_ENTRIES }
  const deliveries = await withBodies(
    queries,
    await findAll(queries, 'webhook_deliveries', sent, newest),
  )
  const ids = deliveries.map((delivery) => delivery.id)
  const attempts = await findAttempts(queries, ids)
  const mails = await byIds(ids, (delivery_id) => findAll(queries, 'mails', { delivery_id }))
  const returnFailures = await findAll(queries, 'return_failures', { transaction_id: row.id })
  const card = await findRow(queries, 'stored_cards', merchant.id, row.stored_card_id ?? undefined)
  const rows = {
    record,
    requests,
    moves,
    authentications,
    deliveries,
    attempts,
    mails,
    returnFailures,
  }
  const secrets = authentications.flatMap(({ token, key, nonce }) => [
    token,
    key,
    nonce ?? undefined,
  ])
  const { secret, previousSecret } = merchant
  const hidden = [
    secret,
    previousSecret?.value ?? undefined,
    row.href_token,
    row.attempt ?? undefined,
    card?.token,
    ...secrets,
  ]
  return cleanStory(createStory(rows), hidden)
}

/** Logins in addresses, such as `https://name:password@shop.example`. */
const LOGIN = /(\bhttps?:\/\/)[^\s/@"\\]+@/gi

/**
 * Prepares a story for other people, for example for a bug report: removes card numbers and
 * secrets.
 * @param secrets of the merchant, and tokens that open pages of this payment
 */
export function cleanStory(story: Story, secrets: readonly (string | undefined)[]): Story {
  const text = withoutSecrets(JSON.stringify(withoutCardNumbers(story, true)), secrets)
  return JSON.parse(text.replace(LOGIN, '$1***@'))
}
