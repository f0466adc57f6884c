import { Router } from 'express'
import { answersAt, ENDING_ANSWERS } from '../../domain/card/bank-questions.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { badFormat } from '../../parsing/control/read.ts'
import { readBankAnswer, readNextAuthentication } from '../../parsing/control/three-d-secure.ts'
import { atBank, createBankAction, stepOf } from '../../payments/authentication/bank.ts'
import { currentAuthentication } from '../../payments/authentication/end.ts'
import { addNextAuthentication, findAuthentication } from '../../storage/authentications.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'

export interface ThreeDSecureControlDependencies {
  readonly authenticator: Authenticator
}

/**
 * Serves `/_control/3ds/next`: forces the result of the next authentication on a page.
 * `/_control/3ds/answer`: answers a challenge for the payer, for example in an app.
 */
export function threeDSecureControl({ authenticator }: ThreeDSecureControlDependencies): Router {
  const router = Router()
  router.post('/next', async (_request, response) => {
    const { parameters, service } = exchangeOf(response)
    const { merchantId, asked } = readNextAuthentication(parameters)
    await service.database.write((queries) => addNextAuthentication(queries, merchantId, asked))
    const { delaySeconds: delay_seconds, ...next } = asked
    response.json({ merchant_id: merchantId, next: { ...next, delay_seconds } })
  })
  router.post('/answer', async (_request, response) => {
    const { merchantId, given, ...which } = readBankAnswer(exchangeOf(response).parameters)
    const merchant = await authenticator.find(merchantId)
    const work = merchant && workOf(response, merchant)
    const found =
      work &&
      (await findAuthentication(work.queries, {
        merchant_id: merchantId,
        status: 'open',
        ...which,
      }))
    const row = found && (await currentAuthentication(work, found))
    if (!work || row?.status !== 'open')
      throw new GatewayError('errors.not_found', {
        explain: 'No payer of this merchant is at the bank.',
      })
    const step = stepOf(row)
    const answered = await atBank(work, row, createBankAction(given))
    if (answered && answered.steps.length === row.steps.length)
      throw badFormat(
        `answer must be one of ${possible(row, step).join(', ')}. The challenge is ${asks(row)}, at step ${step}.`,
      )
    response.json(present(answered ?? row))
  })
  return router
}

const asks = ({ plan }: AuthenticationRow): string => plan.question ?? 'code'

const possible = ({ plan }: AuthenticationRow, step: string): readonly string[] => [
  ...Object.keys(answersAt(plan.question, step)),
  ...ENDING_ANSWERS,
]

const present = (row: AuthenticationRow) => ({
  merchant_id: row.merchant_id,
  transaction_id: row.transaction_id,
  payment_ref: row.payment_ref,
  question: asks(row),
  step: stepOf(row),
  answered: row.answer !== null,
})
