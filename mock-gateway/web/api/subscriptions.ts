import { type Request, type Response, Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import { readCreatePlan, readUpdatePlan } from '../../parsing/plan-terms.ts'
import { readCreateSubscription, readUpdateSubscription } from '../../parsing/subscription.ts'
import { presentSubscriptions } from '../../serializers/present.ts'
import { presentPlan } from '../../serializers/resources.ts'
import type { SubscriptionRow } from '../../storage/tables/subscriptions.ts'
import { cancelPlan, changePlan, createPlan, needPlan } from '../../subscriptions/plans.ts'
import {
  cancelSubscription,
  createSubscription,
  needSubscription,
} from '../../subscriptions/subscriptions.ts'
import { changeSubscription } from '../../subscriptions/update.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage, presentListed, viewingOf } from './list.ts'

/**
 * Serves `/v1/subscriptions`, also at `/v1/subscription` (specification: Endpoints; observed: 6.7,
 * 15.34).
 */
export function subscriptions(): Router {
  const router = Router()
  const idOf = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'subscriptions', (rows) =>
      presentSubscriptions(viewingOf(response), rows),
    ),
  )
  router.get('/:id', (request, response) =>
    answer(response, needSubscription(workOf(response), idOf(request))),
  )
  router.post('/', (_request, response) => {
    const exchange = exchangeOf(response)
    const command = maskCardNumbers(response, readCreateSubscription(exchange.parameters, exchange))
    return answer(response, createSubscription(workOf(response), command))
  })
  router.put('/:id', (request, response) => {
    const { parameters } = exchangeOf(response)
    const command = maskCardNumbers(response, readUpdateSubscription(idOf(request), parameters))
    return answer(response, changeSubscription(workOf(response), command))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelSubscription(workOf(response), idOf(request))),
  )
  router.get('/:id/transactions', async (request, response) => {
    const { id } = await needSubscription(workOf(response), idOf(request))
    await answerPage(response, 'transactions', presentListed(response), { subscription_id: id })
  })

  async function answer(response: Response, row: Promise<SubscriptionRow>) {
    response.json((await presentSubscriptions(viewingOf(response), [await row]))[0])
  }

  return router
}

/** Serves `/v1/plans` (observed: 6.7). */
export function plans(): Router {
  const router = Router()
  const idOf = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'plans', (rows) => rows.map(presentPlan)),
  )
  router.get('/:id', async (request, response) => {
    response.json(presentPlan(await needPlan(workOf(response), idOf(request))))
  })
  router.post('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    response.json(
      presentPlan(
        await createPlan(workOf(response), readCreatePlan(maskCardNumbers(response, parameters))),
      ),
    )
  })
  router.put('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    const command = readUpdatePlan(idOf(request), maskCardNumbers(response, parameters))
    response.json(presentPlan(await changePlan(workOf(response), command)))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentPlan(await cancelPlan(workOf(response), idOf(request))))
  })

  return router
}
