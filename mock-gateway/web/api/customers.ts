import { type Request, type Response, Router } from 'express'
import {
  cancelStoredCard,
  changeStoredCard,
  createStoredCard,
  requireStoredCard,
} from '../../cards/stored-cards.ts'
import {
  changeCustomer,
  createCustomer,
  removeCustomer,
  requireCustomer,
} from '../../customers/customers.ts'
import { readId } from '../../domain/identifiers.ts'
import { readCreateCustomer, readUpdateCustomer } from '../../parsing/customer.ts'
import { readCreateStoredCard, readUpdateStoredCard } from '../../parsing/stored-card.ts'
import { presentStoredCards, presentSubscriptions } from '../../serializers/present.ts'
import { presentCustomer } from '../../serializers/resources.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import { createWork, getExchange, getSender } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage, createViewContext, presentListed } from './list.ts'

/**
 * Serves `/v1/customers` and their cards and transactions (observed: 6.6; specification:
 * Endpoints).
 */
export function createCustomersRouter(): Router {
  const router = Router()
  const getId = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'customers', (rows) => rows.map(presentCustomer)),
  )
  router.get('/:id', async (request, response) => {
    response.json(presentCustomer(await requireCustomer(createWork(response), getId(request))))
  })
  router.post('/', async (_request, response) => {
    const command = maskCardNumbers(response, readCreateCustomer(getExchange(response).parameters))
    response.json(presentCustomer(await createCustomer(createWork(response), command)))
  })
  router.put('/:id', async (request, response) => {
    const command = maskCardNumbers(
      response,
      readUpdateCustomer(getId(request), getExchange(response).parameters),
    )
    response.json(presentCustomer(await changeCustomer(createWork(response), command)))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentCustomer(await removeCustomer(createWork(response), getId(request))))
  })

  router.get('/:id/transactions', async (request, response) => {
    const { id } = await requireCustomer(createWork(response), getId(request))
    await answerPage(response, 'transactions', presentListed(response), { customer_id: id })
  })
  router.get('/:id/stored_cards', async (request, response) => {
    const { id } = await requireCustomer(createWork(response), getId(request))
    const present = (rows: Parameters<typeof presentStoredCards>[1]) =>
      presentStoredCards(createViewContext(response), rows)
    await answerPage(response, 'stored_cards', present, { customer_id: id })
  })
  router.get('/:id/subscriptions', async (request, response) => {
    const { id } = await requireCustomer(createWork(response), getId(request))
    const present = (rows: Parameters<typeof presentSubscriptions>[1]) =>
      presentSubscriptions(createViewContext(response), rows)
    await answerPage(response, 'subscriptions', present, { customer_id: id })
  })

  return router
}

/**
 * Serves `/v1/stored_cards`, also at `/v1/stored_card` (specification: Endpoints; observed: 6.5).
 */
export function createStoredCardsRouter(): Router {
  const router = Router()
  const getId = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'stored_cards', (rows) =>
      presentStoredCards(createViewContext(response), rows),
    ),
  )
  router.get('/:id', (request, response) =>
    answer(response, requireStoredCard(createWork(response), getId(request))),
  )
  router.post('/', (_request, response) => {
    const command = maskCardNumbers(
      response,
      readCreateStoredCard(getExchange(response).parameters, getSender(response)),
    )
    return answer(response, createStoredCard(createWork(response), command))
  })
  router.put('/:id', (request, response) => {
    const exchange = getExchange(response)
    const command = maskCardNumbers(
      response,
      readUpdateStoredCard(getId(request), exchange.parameters, exchange),
    )
    return answer(response, changeStoredCard(createWork(response), command))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelStoredCard(createWork(response), getId(request))),
  )

  async function answer(response: Response, row: Promise<StoredCardRow>) {
    response.json((await presentStoredCards(createViewContext(response), [await row]))[0])
  }

  return router
}
