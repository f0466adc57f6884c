import { type Request, type Response, Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import { readCreatePlan, readUpdatePlan } from '../../parsing/plan-terms.ts'
import { readCreateSubscription, readUpdateSubscription } from '../../parsing/subscription.ts'
import { presentSubscriptions } from '../../serializers/present.ts'
import { presentPlan } from '../../serializers/resources.ts'
import type { SubscriptionRow } from '../../storage/tables/subscriptions.ts'
import { cancelPlan, changePlan, createPlan, requirePlan } from '../../subscriptions/plans.ts'
import {
  cancelSubscription,
  createSubscription,
  requireSubscription,
} from '../../subscriptions/subscriptions.ts'
import { changeSubscription } from '../../subscriptions/update.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage, createViewContext, presentListed } from './list.ts'

/**
 * Serves `/v1/subscriptions`, also at `/v1/subscription` (specification: Endpoints; observed: 6.7,
 * 15.34).
 */
export function createSubscriptionsRouter(): Router {
  const router = Router()
  const getId = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'subscriptions', (rows) =>
      presentSubscriptions(createViewContext(response), rows),
    ),
  )
  router.get('/:id', (request, response) =>
    answer(response, requireSubscription(createWork(response), getId(request))),
  )
  router.post('/', (_request, response) => {
    const exchange = getExchange(response)
    const command = maskCardNumbers(response, readCreateSubscription(exchange.parameters, exchange))
    return answer(response, createSubscription(createWork(response), command))
  })
  router.put('/:id', (request, response) => {
    const { parameters } = getExchange(response)
    const command = maskCardNumbers(response, readUpdateSubscription(getId(request), parameters))
    return answer(response, changeSubscription(createWork(response), command))
  })
  router.delete('/:id', (request, response) =>
    answer(response, cancelSubscription(createWork(response), getId(request))),
  )
  router.get('/:id/transactions', async (request, response) => {
    const { id } = await requireSubscription(createWork(response), getId(request))
    await answerPage(response, 'transactions', presentListed(response), { subscription_id: id })
  })

  async function answer(response: Response, row: Promise<SubscriptionRow>) {
    response.json((await presentSubscriptions(createViewContext(response), [await row]))[0])
  }

  return router
}

/** Serves `/v1/plans` (observed: 6.7). */
export function createPlansRouter(): Router {
  const router = Router()
  const getId = (request: Request<{ id: string }>) => readId(request.params.id)

  router.get('/', (_request, response) =>
    answerPage(response, 'plans', (rows) => rows.map(presentPlan)),
  )
  router.get('/:id', async (request, response) => {
    response.json(presentPlan(await requirePlan(createWork(response), getId(request))))
  })
  router.post('/', async (_request, response) => {
    const { parameters } = getExchange(response)
    response.json(
      presentPlan(
        await createPlan(
          createWork(response),
          readCreatePlan(maskCardNumbers(response, parameters)),
        ),
      ),
    )
  })
  router.put('/:id', async (request, response) => {
    const { parameters } = getExchange(response)
    const command = readUpdatePlan(getId(request), maskCardNumbers(response, parameters))
    response.json(presentPlan(await changePlan(createWork(response), command)))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentPlan(await cancelPlan(createWork(response), getId(request))))
  })

  return router
}
