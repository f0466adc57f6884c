import { GatewayError } from '../domain/errors/errors.ts'
import type { DueKind } from '../scheduler/due.ts'
import { findUnanswered } from '../storage/find-due.ts'
import type { WorkAt } from '../work/work.ts'
import { answerPayment } from './answer.ts'

/** Fails payments whose payers have not answered elsewhere in time. */
export const answersDue = (workAt: WorkAt): DueKind => ({
  kind: 'answer',
  first: findUnanswered,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    try {
      const timedOut = work && (await answerPayment(work, { id, answer: 'timeout' }))
      if (!timedOut) return undefined
      const { status, payment_method } = timedOut.row
      return {
        what: `the payer did not answer ${payment_method}`,
        facts: { transaction_id: id, status },
      }
    } catch (error) {
      // The payer answered at the same moment.
      if (error instanceof GatewayError) return undefined
      throw error
    }
  },
})
