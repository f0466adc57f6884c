import { type Response, Router } from 'express'
import { readId } from '../../domain/references.ts'
import type { Payments } from '../../payments/payments.ts'
import { presentSubscriptions, presentTransactions } from '../../presentation/present.ts'
import type { SubscriptionRow } from '../../storage/subscriptions.ts'
import { withParts } from '../../storage/transaction-parts.ts'
import { cancelSubscription, createSubscription, needSubscription } from '../../subscriptions/subscriptions.ts'
import { updateSubscriptionOf } from '../../subscriptions/update.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { answerPage } from './list.ts'
import { viewingOf } from './viewing.ts'

/** `/v1/subscriptions`, also addressed as `/v1/subscription` (specification: Endpoints; observed: 6.7, 15.34). */
export function subscriptions(payments: Payments): Router {
  const { database } = payments
  const router = Router()

  router.get('/', (_request, response) =>
    answerPage(response, database, 'subscriptions', (rows) =>
      presentSubscriptions(viewingOf(response, payments), rows),
    ),
  )
  router.get('/:id', (request, response) =>
    answer(response, needSubscription(database.db, merchantOf(response), readId(request.params.id))),
  )
  router.post('/', (_request, response) =>
    answer(response, createSubscription(payments, merchantOf(response), exchangeOf(response).parameters)),
  )
  router.put('/:id', (request, response) => {
    const { parameters } = exchangeOf(response)
    return answer(response, updateSubscriptionOf(payments, merchantOf(response), readId(request.params.id), parameters))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelSubscription(payments, merchantOf(response), readId(request.params.id))),
  )
  router.get('/:id/transactions', async (request, response) => {
    const { id } = await needSubscription(database.db, merchantOf(response), readId(request.params.id))
    const present = async (rows: Parameters<typeof withParts>[1]) =>
      presentTransactions(viewingOf(response, payments), await withParts(database.db, rows))
    await answerPage(response, database, 'transactions', present, { subscription_id: id })
  })

  async function answer(response: Response, row: Promise<SubscriptionRow>) {
    response.json((await presentSubscriptions(viewingOf(response, payments), [await row]))[0])
  }

  return router
}
