import { Router } from 'express'
import type { NextOutcome, NextOutcomes } from '../../payments/next-outcomes.ts'
import { readNextOutcome } from '../../requests/control/payments.ts'
import { pickOnly, readMerchantId } from '../../requests/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface PaymentControlParts {
  readonly nextOutcomes: NextOutcomes
}

/** `/_control/payments/next`: what the bank answers to the payments to come. */
export function paymentControl({ nextOutcomes }: PaymentControlParts): Router {
  const router = Router()
  const show = (merchantId?: number) => ({ next: nextOutcomes.waiting(merchantId).map(presentNext) })

  router.get('/next', (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(show(readMerchantId(parameters)))
  })
  router.post('/next', (_request, response) => {
    const next = readNextOutcome(exchangeOf(response).parameters)
    nextOutcomes.add(next)
    response.json(show(next.merchantId ?? undefined))
  })
  router.delete('/next', (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    nextOutcomes.clear(merchantId)
    response.json(show(merchantId))
  })
  return router
}

const presentNext = ({ merchantId, ...next }: NextOutcome) => ({ merchant_id: merchantId, ...next })
