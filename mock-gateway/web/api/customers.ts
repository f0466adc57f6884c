import { type Request, type Response, Router } from 'express'
import {
  cancelStoredCard,
  changeStoredCard,
  createStoredCard,
  needStoredCard,
} from '../../cards/stored-cards.ts'
import {
  changeCustomer,
  createCustomer,
  needCustomer,
  removeCustomer,
} from '../../customers/customers.ts'
import { readId } from '../../domain/identifiers.ts'
import { readCreateCustomer, readUpdateCustomer } from '../../parsing/customer.ts'
import { readCreateStoredCard, readUpdateStoredCard } from '../../parsing/stored-card.ts'
import { presentStoredCards, presentSubscriptions } from '../../serializers/present.ts'
import { presentCustomer } from '../../serializers/resources.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import { exchangeOf, senderOf, workOf } from '../http/exchange.ts'
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
    response.json(presentCustomer(await changeCustomer(workOf(response), command)))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentCustomer(await removeCustomer(workOf(response), idOf(request))))
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

/**
 * Serves `/v1/stored_cards`, also at `/v1/stored_card` (specification: Endpoints; observed: 6.5).
 */
export function storedCards(): Router {
  const router = Router()
  const idOf = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'stored_cards', (rows) => presentStoredCards(viewingOf(response), rows)),
  )
  router.get('/:id', (request, response) =>
    answer(response, needStoredCard(workOf(response), idOf(request))),
  )
  router.post('/', (_request, response) => {
    const command = maskCardNumbers(
      response,
      readCreateStoredCard(exchangeOf(response).parameters, senderOf(response)),
    )
    return answer(response, createStoredCard(workOf(response), command))
  })
  router.put('/:id', (request, response) => {
    const exchange = exchangeOf(response)
    const command = maskCardNumbers(
      response,
      readUpdateStoredCard(idOf(request), exchange.parameters, exchange),
    )
    return answer(response, changeStoredCard(workOf(response), command))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelStoredCard(workOf(response), idOf(request))),
  )

  async function answer(response: Response, row: Promise<StoredCardRow>) {
    response.json((await presentStoredCards(viewingOf(response), [await row]))[0])
  }

  return router
}
