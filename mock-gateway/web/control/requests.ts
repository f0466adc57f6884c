import { Router } from 'express'
import type { ResetDependencies } from '../../merchants/reset.ts'
import { pickOnly, readMerchantId, wholeNumber } from '../../parsing/control/read.ts'
import { KEPT_REQUESTS, listRequests, NOBODY, type RequestHead } from '../../storage/requests.ts'
import { exchangeOf } from '../http/exchange.ts'

export type RequestControlDependencies = Pick<ResetDependencies, 'database' | 'keptRequests'>

/** `/_control/requests`: the last requests of clients, the newest first, and why each was refused. */
export function requestControl({ database, keptRequests }: RequestControlDependencies): Router {
  const router = Router()
  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const limit = wholeNumber(pickOnly(parameters, ['limit']), 'limit', { least: 1, most: KEPT_REQUESTS.most }) ?? 100
    await keptRequests.settle()
    const requests = await listRequests(database.db, { merchantId: readMerchantId(parameters) }, { limit })
    response.json({ requests: requests.map(presentRequest) })
  })
  return router
}

const presentRequest = ({ created_at, request_id, merchant_id, duration, ...head }: RequestHead) => ({
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
