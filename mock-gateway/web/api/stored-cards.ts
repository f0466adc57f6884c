import { type Response, Router } from 'express'
import { readId } from '../../domain/references.ts'
import type { Payments } from '../../payments/payments.ts'
import { cancelStoredCard, createStoredCard, needStoredCard, updateStoredCardOf } from '../../payments/stored-cards.ts'
import { presentStoredCards } from '../../presentation/present.ts'
import type { StoredCardRow } from '../../storage/stored-cards.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { answerPage } from './list.ts'
import { viewingOf } from './viewing.ts'

/** `/v1/stored_cards`, also addressed as `/v1/stored_card` (specification: Endpoints; observed: 6.5). */
export function storedCards(payments: Payments): Router {
  const router = Router()

  router.get('/', (_request, response) =>
    answerPage(response, 'stored_cards', (rows) => presentStoredCards(viewingOf(response), rows)),
  )
  router.get('/:id', async (request, response) => {
    const { db } = payments.database
    await answer(response, needStoredCard(db, merchantOf(response), readId(request.params.id)))
  })
  router.post('/', (_request, response) =>
    answer(response, createStoredCard(payments, merchantOf(response), exchangeOf(response).parameters)),
  )
  router.put('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    await answer(response, updateStoredCardOf(payments, merchantOf(response), readId(request.params.id), parameters))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelStoredCard(payments, merchantOf(response), readId(request.params.id))),
  )

  async function answer(response: Response, row: Promise<StoredCardRow>) {
    response.json((await presentStoredCards(viewingOf(response), [await row]))[0])
  }

  return router
}
