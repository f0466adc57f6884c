import { type Request, Router } from 'express'
import {
  createCustomer,
  deleteCustomerOf,
  needCustomer,
  updateCustomerOf,
} from '../../customers/customers.ts'
import { readId } from '../../domain/identifiers.ts'
import { readCreateCustomer, readUpdateCustomer } from '../../parsing/customer.ts'
import { presentStoredCards, presentSubscriptions } from '../../serializers/present.ts'
import { presentCustomer } from '../../serializers/resources.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage, presentListed, viewingOf } from './list.ts'

/**
 * Serves `/v1/customers` and their cards and transactions (observed: 6.6; specification:
 * Endpoints).
 */
export function customers(): Router {
  const router = Router()
  const idOf = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'customers', (rows) => rows.map(presentCustomer)),
  )
  router.get('/:id', async (request, response) => {
    response.json(presentCustomer(await needCustomer(workOf(response), idOf(request))))
  })
  router.post('/', async (_request, response) => {
    const command = maskCardNumbers(response, readCreateCustomer(exchangeOf(response).parameters))
    response.json(presentCustomer(await createCustomer(workOf(response), command)))
  })
  router.put('/:id', async (request, response) => {
    const command = maskCardNumbers(
      response,
      readUpdateCustomer(idOf(request), exchangeOf(response).parameters),
    )
    response.json(presentCustomer(await updateCustomerOf(workOf(response), command)))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentCustomer(await deleteCustomerOf(workOf(response), idOf(request))))
  })

  router.get('/:id/transactions', async (request, response) => {
    const { id } = await needCustomer(workOf(response), idOf(request))
    await answerPage(response, 'transactions', presentListed(response), { customer_id: id })
  })
  router.get('/:id/stored_cards', async (request, response) => {
    const { id } = await needCustomer(workOf(response), idOf(request))
    const present = (rows: Parameters<typeof presentStoredCards>[1]) =>
      presentStoredCards(viewingOf(response), rows)
    await answerPage(response, 'stored_cards', present, { customer_id: id })
  })
  router.get('/:id/subscriptions', async (request, response) => {
    const { id } = await needCustomer(workOf(response), idOf(request))
    const present = (rows: Parameters<typeof presentSubscriptions>[1]) =>
      presentSubscriptions(viewingOf(response), rows)
    await answerPage(response, 'subscriptions', present, { customer_id: id })
  })

  return router
}
