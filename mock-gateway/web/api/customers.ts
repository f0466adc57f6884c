import { type Request, type Response, Router } from 'express'
import { readId } from '../../domain/references.ts'
import { createCustomer, deleteCustomerOf, needCustomer, updateCustomerOf } from '../../payments/customers.ts'
import type { Payments } from '../../payments/payments.ts'
import { presentCustomer } from '../../presentation/customer.ts'
import { presentStoredCards, presentSubscriptions, presentTransactions } from '../../presentation/present.ts'
import { withParts } from '../../storage/transaction-parts.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { answerPage } from './list.ts'
import { viewingOf } from './viewing.ts'

/** `/v1/customers` and what belongs to one (observed: 6.6; specification: Endpoints). */
export function customers(payments: Payments): Router {
  const { database } = payments
  const router = Router()

  router.get('/', (_request, response) => answerPage(response, 'customers', (rows) => rows.map(presentCustomer)))
  router.get('/:id', async (request, response) => {
    response.json(presentCustomer(await customerOf(request, response)))
  })
  router.post('/', async (_request, response) => {
    const created = await createCustomer(payments, merchantOf(response), exchangeOf(response).parameters)
    response.json(presentCustomer(created))
  })
  router.put('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    const changed = await updateCustomerOf(payments, merchantOf(response), readId(request.params.id), parameters)
    response.json(presentCustomer(changed))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentCustomer(await deleteCustomerOf(payments, merchantOf(response), readId(request.params.id))))
  })

  router.get('/:id/transactions', async (request, response) => {
    const { id } = await customerOf(request, response)
    const present = async (rows: Parameters<typeof withParts>[1]) =>
      presentTransactions(viewingOf(response), await withParts(database.db, rows))
    await answerPage(response, 'transactions', present, { customer_id: id })
  })
  router.get('/:id/stored_cards', async (request, response) => {
    const { id } = await customerOf(request, response)
    const where = { customer_id: id }
    await answerPage(response, 'stored_cards', (rows) => presentStoredCards(viewingOf(response), rows), where)
  })

  router.get('/:id/subscriptions', async (request, response) => {
    const { id } = await customerOf(request, response)
    const where = { customer_id: id }
    await answerPage(response, 'subscriptions', (rows) => presentSubscriptions(viewingOf(response), rows), where)
  })

  const customerOf = (request: Request, response: Response) =>
    needCustomer(database.db, merchantOf(response), readId(String(request.params.id)))

  return router
}
