import { GatewayError } from '../domain/errors/errors.ts'
import type { WorkAt } from '../storage/work.ts'
import { atMost, type DueKind, isDue } from '../timeline/due.ts'
import { answerPayment } from './answer.ts'

/** Payers who are asked elsewhere and do not answer: the time for that is over. */
export const answersDue = (workAt: WorkAt): DueKind => ({
  kind: 'answer',
  async first(queries, scope, limit) {
    const rows = await queries
      .selectFrom('transactions')
      .select(['id', 'merchant_id', 'answer_by'])
      .where('status', '=', 'pending')
      .where(isDue(scope, { at: 'answer_by' }))
      .orderBy('answer_by')
      .orderBy('id')
      .limit(atMost(limit))
      .execute()
    return rows.map(({ id, merchant_id, answer_by }) => ({ id, merchantId: merchant_id, at: Number(answer_by) }))
  },
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    try {
      const timedOut = work && (await answerPayment(work, { id, answer: 'timeout' }))
      if (!timedOut) return undefined
      const { status, payment_method } = timedOut.row
      return { what: `${payment_method} was not answered`, facts: { transaction_id: id, status } }
    } catch (error) {
      // The payer answered at the same moment.
      if (error instanceof GatewayError) return undefined
      throw error
    }
  },
})
