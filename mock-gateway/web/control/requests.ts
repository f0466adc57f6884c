import { Router } from 'express'
import { pickOnly, readMerchantId, wholeNumber } from '../../requests/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { RecentRequest, RecentRequests } from '../http/recent-requests.ts'

export interface RequestControlDependencies {
  readonly recentRequests: RecentRequests
}

const MOST = 1_000

/** `/_control/requests`: the last requests of clients, the newest first, and why each was refused. */
export function requestControl({ recentRequests }: RequestControlDependencies): Router {
  const router = Router()
  router.get('/', (_request, response) => {
    const { parameters } = exchangeOf(response)
    const limit = wholeNumber(pickOnly(parameters, ['limit']), 'limit', { least: 1, most: MOST }) ?? 100
    const requests = recentRequests.of(readMerchantId(parameters)).slice(0, limit)
    response.json({ requests: requests.map(presentRequest) })
  })
  return router
}

const presentRequest = ({ at, payment: _line, ...facts }: RecentRequest) => ({
  at: new Date(at).toISOString(),
  ...facts,
})
