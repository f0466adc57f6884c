import { type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { presentWebhook } from '../../serializers/resources.ts'
import { findRow } from '../../storage/rows.ts'
import type { WebhookRow } from '../../storage/tables/webhooks.ts'
import { withSentBodies } from '../../storage/webhooks.ts'
import { createWork } from '../http/exchange.ts'
import { answerPage } from './list.ts'

/** Serves `/v1/webhooks`: the webhooks of transactions (specification: Endpoints). */
export function createWebhooksRouter(): Router {
  const router = Router()

  const present = async (response: Response, rows: readonly WebhookRow[]) =>
    (await withSentBodies(createWork(response).queries, rows)).map(presentWebhook)

  router.get('/', (_request, response) =>
    answerPage(response, 'webhooks', (rows) => present(response, rows)),
  )
  router.get('/:id', async (request, response) => {
    const { queries, merchant } = createWork(response)
    const row = await findRow(queries, 'webhooks', merchant.id, readId(request.params.id))
    if (!row)
      throw new GatewayError('errors.webhook.not_found', {
        explain: 'The merchant has no webhook with this id. GET /v1/webhooks lists its webhooks.',
      })
    response.json((await present(response, [row]))[0])
  })

  return router
}
