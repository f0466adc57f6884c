import { Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { readCreateRefund } from '../../parsing/capture-and-refund.ts'
import { refundTransaction } from '../../payments/refund.ts'
import { presentRefunds } from '../../serializers/present.ts'
import { findRow } from '../../storage/rows.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { answerPage, viewingOf } from './list.ts'

/** Serves `/v1/refunds` (observed: 6.4). */
export function refunds(): Router {
  const router = Router()

  router.get('/', (_request, response) =>
    answerPage(response, 'refunds', (rows) => presentRefunds(viewingOf(response), rows)),
  )
  router.get('/:id', async (request, response) => {
    const { queries, merchant } = workOf(response)
    const row = await findRow(queries, 'refunds', merchant.id, readId(request.params.id))
    // The catalogue has no error for a missing refund.
    if (!row)
      throw new GatewayError('errors.not_found', {
        explain: 'The merchant has no refund with this id. GET /v1/refunds lists its refunds.',
      })
    response.json((await presentRefunds(viewingOf(response), [row]))[0])
  })
  router.post('/', async (_request, response) => {
    const command = maskCardNumbers(response, readCreateRefund(exchangeOf(response).parameters))
    const row = await refundTransaction(workOf(response), command)
    response.json((await presentRefunds(viewingOf(response), [row]))[0])
  })

  return router
}
