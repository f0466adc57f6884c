import { Router } from 'express'
import { errorBody, getEntryByKey } from '../../domain/errors/errors.ts'
import { readAttempt, readId } from '../../domain/identifiers.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { presentTransaction } from '../../serializers/transaction.ts'
import { findOne } from '../../storage/rows.ts'
import type { LogEventRow } from '../../storage/tables/payment-parts.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import { getExchange } from '../http/exchange.ts'
import { notFound } from '../http/refuse.ts'

/**
 * Serves `/v1/attempts/<attempt>?merchant_id=<id>`: the status of a payment whose answer was lost
 * on its way to the page (decision 24). The attempt is 128 random bits known only to that page, so
 * no login is needed. Answers `{ state: 'done', transaction }`, `{ state: 'done', error }` or `{
 * state: 'unknown' }`.
 */
export function createAttemptsRouter(authenticator: Authenticator): Router {
  const router = Router()
  router.get('/:attempt', async (request, response) => {
    const { parameters, locale, service } = getExchange(response)
    const id = readId(text(parameters, 'merchant_id') ?? '')
    const merchant = id === undefined ? undefined : await authenticator.find(id)
    const { db } = service.database
    const attempt = readAttempt(request.params.attempt)
    const row =
      merchant && attempt
        ? await findOne(db, 'transactions', { merchant_id: merchant.id, attempt })
        : undefined
    if (!merchant || !row) return void response.json({ state: 'unknown' })
    const refusal = row.error_name === null ? undefined : getEntryByKey(row.error_name)
    if (refusal)
      return void response.json({
        state: 'done',
        error: errorBody(refusal, locale, row.error_message ?? undefined),
      })
    const { parts } = await loadRecord(db, row)
    const record = {
      row,
      parts: { ...parts, logEvents: parts.logEvents.map(hideMerchantIp) },
    }
    const presenting = { merchant, addresses: service.addresses, locale }
    response.json({ state: 'done', transaction: presentTransaction(record, presenting) })
  })
  // Answers other paths here, because the headers for pages are already set.
  router.use(notFound)
  return router
}

/** Removes the merchant's IP address, because the payer receives the event. */
function hideMerchantIp(event: LogEventRow): LogEventRow {
  const { ip: _merchantIp, ...data } = event.data
  return data.by === 'merchant' ? { ...event, data } : event
}
