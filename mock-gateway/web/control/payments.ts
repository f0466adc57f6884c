import { Router } from 'express'
import { readNextOutcome } from '../../parsing/control/payments.ts'
import { pickOnly, readMerchantId } from '../../parsing/control/read.ts'
import type { NextOutcome, NextOutcomes, Operation } from '../../storage/next-outcomes.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface PaymentControlDependencies {
  readonly nextOutcomes: NextOutcomes
}

/** `/_control/payments/next`, `/_control/captures/next`: what the bank answers to the payments, or captures, to come. */
export function nextControl(operation: Operation, { nextOutcomes }: PaymentControlDependencies): Router {
  const router = Router()
  const show = async (merchantId?: number) => ({
    next: (await nextOutcomes.waiting(operation, merchantId)).map(presentNext),
  })

  router.get('/next', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    response.json(await show(readMerchantId(parameters)))
  })
  router.post('/next', async (_request, response) => {
    const next = readNextOutcome(operation, exchangeOf(response).parameters)
    await nextOutcomes.add(next)
    response.json(await show(next.merchant_id ?? undefined))
  })
  router.delete('/next', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const merchantId = readMerchantId(parameters)
    await nextOutcomes.clear(operation, merchantId)
    response.json(await show(merchantId))
  })
  return router
}

const presentNext = ({
  merchant_id,
  operation,
  outcome,
  seconds,
  times,
  wallet_type,
  currency_converter,
}: NextOutcome) => ({
  merchant_id,
  outcome,
  ...(operation === 'capture' && { seconds }),
  times,
  // Said where a test has said it.
  ...(wallet_type && { wallet_type }),
  ...(currency_converter && { currency_converter }),
})
