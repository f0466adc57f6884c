import { formatAmount } from '../domain/money/money.ts'
import type { DoDueWork } from '../scheduler/due.ts'
import { chargeDue, type PeriodCharge } from './charge-due.ts'
import type { ForcedResults } from './charge-now.ts'

/**
 * Creates the due work that charges a subscription when its period starts or its retry is due.
 * @param getNow returns the time of a merchant's clock
 */
export const createChargeWork =
  (getNow: (merchantId: number) => number, forcedResults: ForcedResults): DoDueWork =>
  async (work, id) => {
    const workWithResult = forcedResults.applied(work, { subscriptionId: id, at: work.now })
    const charged = await chargeDue(workWithResult, id, getNow(work.merchant.id))
    return charged && describeCharge(charged)
  }

function describeCharge(charged: PeriodCharge) {
  const { subscription } = charged
  const facts = { subscription_id: subscription.id }
  if (charged.kind === 'passed over') return { what: 'skipped missed periods', facts }
  const { amount, transaction } = charged
  if (!transaction) return { what: 'had nothing to charge', facts }
  const { status, error_name } = transaction
  return {
    what: `${status} ${formatAmount(amount)} ${subscription.currency}`,
    facts: {
      ...facts,
      transaction_id: transaction.id,
      status,
      ...(error_name && { error: error_name }),
    },
  }
}
