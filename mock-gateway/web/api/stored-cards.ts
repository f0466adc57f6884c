import { type Request, type Response, Router } from 'express'
import {
  cancelStoredCard,
  createStoredCard,
  needStoredCard,
  updateStoredCardOf,
} from '../../cards/stored-cards.ts'
import { readId } from '../../domain/identifiers.ts'
import { readCreateStoredCard, readUpdateStoredCard } from '../../parsing/stored-card.ts'
import { presentStoredCards } from '../../serializers/present.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import { exchangeOf, senderOf, workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage, viewingOf } from './list.ts'

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
    return answer(response, updateStoredCardOf(workOf(response), command))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelStoredCard(workOf(response), idOf(request))),
  )

  async function answer(response: Response, row: Promise<StoredCardRow>) {
    response.json((await presentStoredCards(viewingOf(response), [await row]))[0])
  }

  return router
}
