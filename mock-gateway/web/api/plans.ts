import { Router } from 'express'
import { readId } from '../../domain/references.ts'
import { presentPlan } from '../../presentation/plan.ts'
import type { Billing } from '../../subscriptions/billing.ts'
import { cancelPlan, createPlan, needPlan, updatePlanOf } from '../../subscriptions/plans.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { answerPage } from './list.ts'

/** `/v1/plans` (observed: 6.7). */
export function plans(billing: Billing): Router {
  const { database } = billing
  const router = Router()

  router.get('/', (_request, response) => answerPage(response, database, 'plans', (rows) => rows.map(presentPlan)))
  router.get('/:id', async (request, response) => {
    response.json(presentPlan(await needPlan(database.db, merchantOf(response), readId(request.params.id))))
  })
  router.post('/', async (_request, response) => {
    response.json(presentPlan(await createPlan(billing, merchantOf(response), exchangeOf(response).parameters)))
  })
  router.put('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    const changed = await updatePlanOf(billing, merchantOf(response), readId(request.params.id), parameters)
    response.json(presentPlan(changed))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentPlan(await cancelPlan(billing, merchantOf(response), readId(request.params.id))))
  })

  return router
}
