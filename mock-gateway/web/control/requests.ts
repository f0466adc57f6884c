import { Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { ResetDependencies } from '../../merchants/reset.ts'
import { pickOnly, readMerchantId, wholeNumber } from '../../parsing/control/read.ts'
import { readRequestQuery } from '../../parsing/control/requests.ts'
import {
  findRequest,
  findRequests,
  KEPT_REQUESTS,
  listRequests,
  NOBODY,
  type RequestHead,
} from '../../storage/requests.ts'
import { contentsIn, type RequestRow } from '../../storage/tables/requests.ts'
import { exchangeOf } from '../http/exchange.ts'
import { findSentRequest } from './find-request.ts'

export type RequestControlDependencies = Pick<ResetDependencies, 'database' | 'keptRequests'>

/** Serves `/_control/requests`: the request log, newest first, with explanations. */
export function requestControl({ database, keptRequests }: RequestControlDependencies): Router {
  const router = Router()
  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const limit =
      wholeNumber(pickOnly(parameters, ['limit']), 'limit', {
        least: 1,
        most: KEPT_REQUESTS.most,
      }) ?? 100
    await keptRequests.settle()
    const requests = await listRequests(
      database.db,
      { merchantId: readMerchantId(parameters) },
      { limit },
    )
    response.json({ requests: requests.map(presentRequest) })
  })
  router.post('/find', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const wanted = readRequestQuery(parameters)
    await keptRequests.settle()
    const rows = await findRequests(database.db, { merchantId: readMerchantId(parameters) })
    const { row, message } = findSentRequest(rows, wanted)
    response.json({ request: row && presentWithContents(row), message })
  })
  router.get('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const owner = readMerchantId(parameters)
    await keptRequests.settle()
    const row = await findRequest(database.db, request.params.id)
    if (!row || (owner !== undefined && owner !== row.merchant_id))
      throw new GatewayError('errors.not_found', { explain: 'There is no request with this id.' })
    response.json(presentWithContents(row))
  })
  return router
}

const presentRequest = ({
  created_at,
  request_id,
  merchant_id,
  duration,
  ...head
}: RequestHead) => ({
  at: new Date(created_at).toISOString(),
  request_id,
  method: head.method,
  route: head.route,
  status: head.status,
  merchant_id: merchant_id === NOBODY ? null : merchant_id,
  error: head.error,
  explain: head.explain,
  duration_ms: duration,
})

/** Passwords, secrets and card numbers were masked before they were stored. */
function presentWithContents(row: RequestRow) {
  const { path, sent, encrypted, headers, answered, struck } = contentsIn(row)
  const answer = row.answer === null ? null : JSON.parse(row.answer)
  return {
    ...presentRequest(row),
    path,
    sent,
    encrypted,
    headers,
    answer_headers: answered,
    answer,
    fault: struck,
  }
}
