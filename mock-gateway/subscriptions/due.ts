import { formatAmount } from '../domain/money/money.ts'
import type { Clocks } from '../scheduler/clocks.ts'
import type { DueKind } from '../scheduler/due.ts'
import { findDueCharges } from '../storage/due.ts'
import type { WorkAt } from '../work/work.ts'
import { chargeDue, type PeriodCharge } from './charge-due.ts'
import type { ForcedResults } from './chosen-results.ts'

interface ChargeDependencies {
  readonly clocks: Clocks
  readonly workAt: WorkAt
  readonly chosenResults: ForcedResults
}

/** Charges of subscriptions, each when its period starts or its retry is due. */
export const createDueCharges = ({
  clocks,
  workAt,
  chosenResults,
}: ChargeDependencies): DueKind => ({
  kind: 'charge',
  first: findDueCharges,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    if (!work) return undefined
    const chosen = chosenResults.applied(work, { subscriptionId: id, at })
    const charged = await chargeDue(chosen, id, clocks.now(merchantId))
    return charged && describeCharge(charged)
  },
})

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
