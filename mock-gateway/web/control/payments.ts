import { Router } from 'express'
import { readNextOutcome } from '../../parsing/control/payments.ts'
import { pickOnly, readMerchantId, wholeNumber } from '../../parsing/control/read.ts'
import { wireTime } from '../../serializers/time.ts'
import { amountText } from '../../serializers/transaction.ts'
import type { Database } from '../../storage/database.ts'
import { newestRows } from '../../storage/newest.ts'
import type { NextOutcome, NextOutcomes, Operation } from '../../storage/next-outcomes.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface PaymentControlDependencies {
  readonly nextOutcomes: NextOutcomes
  readonly database: Database
}

/** Serves `/_control/payments`: the newest payments, and forced outcomes. */
export function paymentControl({ database, ...parts }: PaymentControlDependencies): Router {
  const router = nextControl('payment', parts)
  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const sent = pickOnly(parameters, ['limit', 'offset'])
    const limit = wholeNumber(sent, 'limit', { least: 1, most: 1_000 }) ?? 100
    const offset = wholeNumber(sent, 'offset', { least: 0, most: 1_000_000_000 }) ?? 0
    const rows = await newestRows(database.db, 'transactions', readMerchantId(parameters), {
      limit,
      offset,
    })
    response.json({ payments: rows.map(presentPayment) })
  })
  return router
}

const presentPayment = (row: TransactionRow) => ({
  id: row.id,
  merchant_id: row.merchant_id,
  created_at: wireTime(row.created_at),
  payment_ref: row.payment_ref,
  amount: amountText(row),
  currency: row.currency,
  status: row.status,
  error: row.error_name,
  test: row.test,
})

/**
 * Serves `/_control/payments/next` and `/_control/captures/next`: forces the bank's next answers.
 */
export function nextControl(
  operation: Operation,
  { nextOutcomes }: Pick<PaymentControlDependencies, 'nextOutcomes'>,
): Router {
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
  // Only if a test has set it.
  ...(wallet_type && { wallet_type }),
  ...(currency_converter && { currency_converter }),
})
