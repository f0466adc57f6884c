import { type RequestHandler, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { DEFAULT_LOCALE } from '../../domain/language/languages.ts'
import type { RecordedTransaction } from '../../outbox/record.ts'
import { readCaptureTransaction, readCreateRefund } from '../../parsing/capture-and-refund.ts'
import { readCreateTransaction } from '../../parsing/create-transaction.ts'
import { readUpdateTransaction } from '../../parsing/update-transaction.ts'
import { captureTransaction } from '../../payments/capture.ts'
import { createTransaction } from '../../payments/create.ts'
import { refundTransaction } from '../../payments/refund.ts'
import { createNotFoundError } from '../../payments/refusals.ts'
import { findDecline, type PaymentResult } from '../../payments/result.ts'
import { changeTransaction } from '../../payments/update.ts'
import { presentRefunds, presentTransactions } from '../../serializers/present.ts'
import { findRow } from '../../storage/rows.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import { createWork, getExchange, getMerchant, getSender } from '../http/exchange.ts'
import { sendJson } from '../http/headers.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { addNotices, createErrorBody, writeRefusal } from '../http/refuse.ts'
import { answerPage, createViewContext, presentListed } from './list.ts'

/** Sends a transaction, with the text that was written for its webhooks if it is the same. */
async function sendTransaction(response: Response, record: RecordedTransaction): Promise<void> {
  const viewing = createViewContext(response)
  const isSame = viewing.locale === DEFAULT_LOCALE && viewing.extend.size === 0
  const text = isSame ? record.sent : undefined
  sendJson(response, text ?? JSON.stringify((await presentTransactions(viewing, [record]))[0]))
}

/** Handles a new transaction. */
export const onCreateTransaction: RequestHandler = async (_request, response) => {
  const { parameters } = getExchange(response)
  const command = maskCardNumbers(response, readCreateTransaction(parameters, getSender(response)))
  await sendResult(response, await createTransaction(createWork(response), command))
}

/** Handles an update of a transaction. */
export const onUpdateTransaction: RequestHandler<{ id: string }> = async (request, response) => {
  const exchange = getExchange(response)
  const command = maskCardNumbers(
    response,
    readUpdateTransaction(readId(request.params.id), exchange.parameters, exchange),
  )
  await sendResult(response, await changeTransaction(createWork(response), command))
}

/**
 * Sends the transaction, or the bank's error, which contains the transaction with the setting
 * error_object.
 */
async function sendResult(response: Response, result: PaymentResult) {
  const refusal = findDecline(result)
  addNotices(response, result.notices)
  if (!refusal) return sendTransaction(response, result)
  writeRefusal(response, refusal)
  const [transaction] = getMerchant(response).settings.error_object
    ? await presentTransactions(createViewContext(response), [result])
    : []
  response.json(createErrorBody(response, refusal, { transaction }))
}

async function onCapture(response: Response, id: string) {
  const command = readCaptureTransaction(readId(id), getExchange(response).parameters)
  await sendTransaction(response, await captureTransaction(createWork(response), command))
}

/**
 * Serves `/v1/transactions` except new transactions (specification: Endpoints). The outer router
 * authenticates and reads the parameters.
 */
export function createTransactionsRouter(): Router {
  const router = Router()
  router.get('/', (_request, response) =>
    answerPage(response, 'transactions', presentListed(response)),
  )
  router.get('/:id', async (request, response) => {
    const { queries, merchant } = createWork(response)
    const row = await findRow(queries, 'transactions', merchant.id, readId(request.params.id))
    if (!row) throw createNotFoundError()
    await sendTransaction(response, await loadRecord(queries, row))
  })
  router.put('/:id', onUpdateTransaction)
  // An empty id is a transaction that does not exist, reported after the amount is checked
  // (observed: 1.4, 8.4).
  router.put('//capture', (_request, response) => onCapture(response, ''))
  router.put('/:id/capture', (request, response) => onCapture(response, request.params.id))
  return router
}

/** Serves `/v1/refunds` (observed: 6.4). */
export function createRefundsRouter(): Router {
  const router = Router()

  router.get('/', (_request, response) =>
    answerPage(response, 'refunds', (rows) => presentRefunds(createViewContext(response), rows)),
  )
  router.get('/:id', async (request, response) => {
    const { queries, merchant } = createWork(response)
    const row = await findRow(queries, 'refunds', merchant.id, readId(request.params.id))
    // The catalogue has no error for a missing refund.
    if (!row)
      throw new GatewayError('errors.not_found', {
        explain: 'The merchant has no refund with this id. GET /v1/refunds lists its refunds.',
      })
    response.json((await presentRefunds(createViewContext(response), [row]))[0])
  })
  router.post('/', async (_request, response) => {
    const command = maskCardNumbers(response, readCreateRefund(getExchange(response).parameters))
    const row = await refundTransaction(createWork(response), command)
    response.json((await presentRefunds(createViewContext(response), [row]))[0])
  })

  return router
}
