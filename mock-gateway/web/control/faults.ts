import { Router } from 'express'
import { GatewayError } from '../../domain/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { readFault } from '../../requests/control/faults.ts'
import { pickOnly, readMerchantId } from '../../requests/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Fault, Faults } from '../http/faults.ts'

export interface FaultControlParts {
  readonly faults: Faults
}

/** `/_control/faults`: what goes wrong with requests to come. */
export function faultControl({ faults }: FaultControlParts): Router {
  const router = Router()
  const show = (merchantId?: number) => ({ faults: faults.list(merchantId).map(presentFault) })

  router.get('/', (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(show(readMerchantId(parameters)))
  })
  router.post('/', (_request, response) => {
    response.json(presentFault(faults.add(readFault(exchangeOf(response).parameters))))
  })
  router.delete('/', (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    faults.clear(merchantId)
    response.json(show(merchantId))
  })
  router.delete('/:id', (request, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    const id = readId(request.params.id)
    if (id === undefined || !faults.remove(id))
      throw new GatewayError('errors.not_found', { explain: 'No fault that still waits has this id' })
    response.json(show())
  })
  return router
}

const presentFault = ({ id, kind, milliseconds, method, path, merchantId, times, probability, struck }: Fault) => ({
  id,
  kind,
  milliseconds,
  method,
  path,
  merchant_id: merchantId,
  times: times ?? 0,
  probability,
  struck,
})
