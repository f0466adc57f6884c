import { type Request, Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import { readCreatePlan, readUpdatePlan } from '../../parsing/plan-terms.ts'
import { presentPlan } from '../../serializers/resources.ts'
import { cancelPlan, createPlan, needPlan, updatePlanOf } from '../../subscriptions/plans.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage } from './list.ts'

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
    response.json(presentPlan(await updatePlanOf(workOf(response), command)))
  })
  router.delete('/:id', async (request, response) => {
    response.json(presentPlan(await cancelPlan(workOf(response), idOf(request))))
  })

  return router
}
