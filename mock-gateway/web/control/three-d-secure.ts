import { Router } from 'express'
import { readNextAuthentication } from '../../requests/control/three-d-secure.ts'
import { addNextAuthentication } from '../../storage/authentications.ts'
import { exchangeOf } from '../http/exchange.ts'

/** `/_control/3ds/next`: how the payer of a merchant's next payment on a page is authenticated. */
export function threeDSecureControl(): Router {
  const router = Router()
  router.post('/next', async (_request, response) => {
    const { parameters, service } = exchangeOf(response)
    const { merchantId, asked } = readNextAuthentication(parameters)
    await service.database.write((queries) => addNextAuthentication(queries, merchantId, asked))
    const { delaySeconds: delay_seconds, ...next } = asked
    response.json({ merchant_id: merchantId, next: { ...next, delay_seconds } })
  })
  return router
}
