import { Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { readFault } from '../../parsing/control/faults.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import { wireTime } from '../../serializers/time.ts'
import type { FaultRow } from '../../storage/tables/faults.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Faults } from '../http/faults.ts'

export interface FaultControlDependencies {
  readonly faults: Faults
}

/** Serves `/_control/faults`: injects faults into requests. */
export function faultControl({ faults }: FaultControlDependencies): Router {
  const router = Router()
  const show = async (merchantId?: number) => ({
    faults: (await faults.list(merchantId)).map(presentFault),
  })

  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(await show(readMerchantId(parameters)))
  })
  router.post('/', async (_request, response) => {
    response.json(presentFault(await faults.add(readFault(exchangeOf(response).parameters))))
  })
  router.delete('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    await faults.clear(merchantId)
    response.json(await show(merchantId))
  })
  router.delete('/:id', async (request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const found = await faults.list(readMerchantId(parameters))
    const id = found.find((fault) => fault.id === readId(request.params.id))?.id
    if (id === undefined || !(await faults.remove(id)))
      throw new GatewayError('errors.not_found', { explain: 'No pending fault has this id.' })
    response.json(await show())
  })
  return router
}

const presentFault = ({
  id,
  kind,
  milliseconds,
  method,
  path,
  merchant_id,
  times,
  until,
  probability,
  struck,
}: FaultRow) => ({
  id,
  kind,
  milliseconds,
  method,
  path,
  merchant_id,
  times: times ?? 0,
  until: until === null ? null : wireTime(until),
  probability,
  struck,
})
