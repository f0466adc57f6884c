import { type RequestHandler, type Response, Router } from 'express'
import { errorBody } from '../../domain/errors.ts'
import { readId } from '../../domain/references.ts'
import { captureTransaction } from '../../payments/capture.ts'
import { createTransaction } from '../../payments/create.ts'
import type { PaymentResult, Payments } from '../../payments/payments.ts'
import { transactionNotFound } from '../../payments/refusals.ts'
import { checkPayersHash } from '../../payments/request-hash.ts'
import { updateTransactionOf } from '../../payments/update.ts'
import { presentTransactions } from '../../presentation/present.ts'
import { readCaptureTransaction } from '../../requests/capture-transaction.ts'
import { findRow } from '../../storage/rows.ts'
import { withItsParts, withParts } from '../../storage/transaction-parts.ts'
import { clientOf, exchangeOf, merchantOf, workOf } from '../http/exchange.ts'
import { writeRefusal } from '../http/refuse.ts'
import { answerPage } from './list.ts'
import { viewingOf } from './viewing.ts'

interface TransactionRoutes {
  readonly create: RequestHandler
  readonly update: RequestHandler<{ id: string }>
  /** All but create. */
  readonly router: Router
}

/** `/v1/transactions` (specification: Endpoints). Authentication and parameters are the outer router's. */
export function transactions(payments: Payments): TransactionRoutes {
  const { db } = payments.database
  const router = Router()

  const create: RequestHandler = async (request, response) => {
    const { parameters, loggedIn } = exchangeOf(response)
    if (!loggedIn) checkPayersHash(merchantOf(response), parameters)
    const result = await createTransaction(payments, merchantOf(response), parameters, clientOf(request))
    await answer(response, result)
  }

  router.get('/', (_request, response) =>
    answerPage(response, 'transactions', async (rows) =>
      presentTransactions(viewingOf(response), await withParts(db, rows)),
    ),
  )

  router.get('/:id', async (request, response) => {
    const row = await findRow(db, 'transactions', merchantOf(response).id, readId(request.params.id))
    if (!row) throw transactionNotFound()
    response.json((await presentTransactions(viewingOf(response), [await withItsParts(db, row)]))[0])
  })

  const update: RequestHandler<{ id: string }> = async (request, response) => {
    const { parameters } = exchangeOf(response)
    await answer(
      response,
      await updateTransactionOf(payments, merchantOf(response), readId(request.params.id), parameters),
    )
  }
  router.put('/:id', update)

  // An empty id is a transaction that does not exist, after the amount was looked at (observed: 1.4, 8.4).
  router.put('//capture', (_request, response) => capture(response, ''))
  router.put('/:id/capture', (request, response) => capture(response, request.params.id))

  async function capture(response: Response, id: string) {
    const command = readCaptureTransaction(readId(id), exchangeOf(response).parameters)
    const record = await captureTransaction(workOf(response), command)
    response.json((await presentTransactions(viewingOf(response), [record]))[0])
  }

  /** The transaction, or the bank's no: with the setting error_object the no brings the transaction along. */
  async function answer(response: Response, result: PaymentResult) {
    const [transaction] = await presentTransactions(viewingOf(response), [result])
    const { refusal, notes } = result
    if (notes.length > 0) response.setHeader('Mondido-Explain', notes.join('; '))
    if (!refusal) return void response.json(transaction)
    writeRefusal(response, refusal)
    const body = errorBody(refusal.entry, exchangeOf(response).locale, refusal.description)
    const { error_object } = merchantOf(response).settings
    response.json(error_object ? { ...body, object: { transaction } } : body)
  }

  return { create, update, router }
}
