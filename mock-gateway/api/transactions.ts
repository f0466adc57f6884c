import { type RequestHandler, type Response, Router } from 'express'
import type { Transaction } from '../contract/transaction.ts'
import { errorBody } from '../domain/errors.ts'
import { TRANSACTION_FIELDS } from '../domain/listing/fields.ts'
import { contentRange, readListing } from '../domain/listing.ts'
import { readId } from '../domain/references.ts'
import { clientOf, exchangeOf, merchantOf } from '../http/exchange.ts'
import { writeRefusal } from '../http/refuse.ts'
import { captureTransaction } from '../payments/capture.ts'
import { createTransaction } from '../payments/create.ts'
import type { PaymentResult, Payments, TransactionRecord } from '../payments/payments.ts'
import { transactionNotFound } from '../payments/refusals.ts'
import { updateTransactionOf } from '../payments/update.ts'
import { presentTransaction } from '../presentation/transaction.ts'
import { readPage } from '../storage/list.ts'
import { findParts, NO_PARTS } from '../storage/transaction-parts.ts'
import { findTransaction } from '../storage/transactions.ts'
import { extendTransactions, readExtend } from './extend.ts'

/** `/v1/transactions` (specification: Endpoints). Authentication and parameters are the outer router's. */
export function transactions(payments: Payments): { readonly create: RequestHandler; readonly router: Router } {
  const { db, dialect } = payments.database
  const router = Router()

  const create: RequestHandler = async (request, response) => {
    const { parameters } = exchangeOf(response)
    const result = await createTransaction(payments, merchantOf(response), parameters, clientOf(request))
    if (result.hashNote) response.setHeader('Mondido-Explain', result.hashNote)
    await answer(response, result)
  }

  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const listing = readListing(parameters, TRANSACTION_FIELDS)
    const { rows, total } = await readPage(
      db,
      dialect,
      'transactions',
      { merchantId: merchantOf(response).id },
      listing,
    )
    const parts = await findParts(
      db,
      rows.map(({ id }) => id),
    )
    response.setHeader('Content-Range', contentRange(listing.offset, rows.length, total))
    response.json(
      await present(
        response,
        rows.map((row) => ({ row, parts: parts.get(row.id) ?? NO_PARTS })),
      ),
    )
  })

  router.get('/:id', async (request, response) => {
    const id = readId(request.params.id)
    const row = id === undefined ? undefined : await findTransaction(db, merchantOf(response).id, id)
    if (!row) throw transactionNotFound()
    const parts = (await findParts(db, [row.id])).get(row.id) ?? NO_PARTS
    response.json((await present(response, [{ row, parts }]))[0])
  })

  router.put('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    await answer(
      response,
      await updateTransactionOf(payments, merchantOf(response), readId(request.params.id), parameters),
    )
  })

  // An empty id is a transaction that does not exist, after the amount was looked at (observed: 1.4, 8.4).
  router.put('//capture', (_request, response) => capture(response, ''))
  router.put('/:id/capture', (request, response) => capture(response, request.params.id))

  async function capture(response: Response, id: string) {
    const { parameters } = exchangeOf(response)
    const record = await captureTransaction(payments, merchantOf(response), readId(id), parameters)
    response.json((await present(response, [record]))[0])
  }

  /** The transaction, or the bank's no: with the setting error_object the no brings the transaction along. */
  async function answer(response: Response, result: PaymentResult) {
    const [transaction] = await present(response, [result])
    const { refusal } = result
    if (!refusal) return void response.json(transaction)
    writeRefusal(response, refusal)
    const body = errorBody(refusal.entry, exchangeOf(response).locale, refusal.description)
    const { error_object } = merchantOf(response).settings
    response.json(error_object ? { ...body, object: { transaction } } : body)
  }

  async function present(response: Response, records: readonly TransactionRecord[]): Promise<Transaction[]> {
    const { locale, parameters } = exchangeOf(response)
    const merchant = merchantOf(response)
    const rows = records.map(({ row }) => row)
    const extras = await extendTransactions(db, merchant.id, rows, readExtend(parameters))
    const presenting = { merchant, addresses: payments.addresses, locale }
    return records.map(({ row, parts }) => presentTransaction(row, parts, presenting, extras(row)))
  }

  return { create, router }
}
