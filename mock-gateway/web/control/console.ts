import { Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Sessions } from '../../merchants/sessions.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface ConsoleControlDependencies {
  readonly addresses: Addresses
  readonly sessions: Sessions
}

/**
 * Serves `POST /_control/console`: returns an address that opens the console, logged in as a
 * merchant or as the administrator.
 */
export function consoleControl({ addresses, sessions }: ConsoleControlDependencies): Router {
  const router = Router()
  router.post('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const ticket = await sessions.beginTicket({ merchantId: readMerchantId(parameters) })
    response.json({ url: `${addresses.base}/console/enter?ticket=${ticket}` })
  })
  return router
}
